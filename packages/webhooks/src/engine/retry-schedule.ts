// When to retry a delivery after a failed attempt, and when to stop (specification, Delivery semantics 2).

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The first attempt is made at once. Each further one follows this long after the last failure. 23 h 42 m 35 s in all. */
export const STEPS_MS = [
  0,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  10 * HOUR,
] as const

/** A step is shortened by up to this fraction, so that deliveries that failed together do not return together. */
const JITTER = 0.1

/** The last attempt is due at most this long after the delivery's creation: "up to about 24 hours". */
export const LAST_DUE_MS = 24 * HOUR

/**
 * Nothing is attempted later than this after the delivery's creation. The half hour is for deliveries that had to wait for their
 * turn.
 */
export const HORIZON_MS = LAST_DUE_MS + 30 * MINUTE

/** The longest pause that a receiver may ask for. */
export const MAX_RETRY_AFTER_SECONDS = HOUR / SECOND

/** `Retry-After` counts only with these statuses: too many requests, unavailable. */
const HEEDED: readonly (number | null)[] = [429, 503]

export interface FailedAttempt {
  /** The delivery's creation. */
  readonly createdAt: Date
  /** Automatic attempts so far, including this one. Manual ones do not use up the schedule. */
  readonly attempts: number
  /** The HTTP status of the answer. Null when none came. */
  readonly responseStatus: number | null
  /** From `parseRetryAfter`. */
  readonly retryAfterSeconds: number | null
}

/**
 * When the next automatic attempt is due. Null when none follows and the delivery has failed.
 *
 * A step that would pass 24 hours ends there. So pauses on the way (requested by the receiver, or spent waiting for an open
 * circuit) do not use up the last hours. A requested pause is never shortened.
 *
 * @param random uniform in [0, 1)
 */
export function nextAttemptAt(failed: FailedAttempt, now: Date, random: () => number): Date | null {
  const { createdAt, attempts, responseStatus, retryAfterSeconds } = failed
  const step = STEPS_MS[attempts]
  const lastDue = createdAt.getTime() + LAST_DUE_MS
  if (step === undefined || now.getTime() >= lastDue) return null
  const hint = HEEDED.includes(responseStatus) ? Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS) * SECOND : 0
  const bySchedule = Math.min(now.getTime() + step * (1 - JITTER * random()), lastDue)
  const due = Math.ceil(Math.max(bySchedule, now.getTime() + hint))
  return due > createdAt.getTime() + HORIZON_MS ? null : new Date(due)
}

/**
 * The seconds that a `Retry-After` header asks for, in either form (RFC 9110, 10.2.3): whole seconds, or an HTTP date (0 for one
 * that has passed). Null for anything else.
 *
 * @example parseRetryAfter('120', new Date()) // 120
 */
export function parseRetryAfter(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const date = new Date(text)
  // Date parsing is lenient. Only the one form in use survives being written again.
  if (Number.isNaN(date.getTime()) || date.toUTCString() !== text) return null
  return Math.max(0, Math.ceil((date.getTime() - now.getTime()) / SECOND))
}
