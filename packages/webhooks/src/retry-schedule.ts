// When a delivery is tried again after a failed attempt, and when no more (specification, Delivery semantics 2).

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The first attempt is made at once; each further one this long after the last one failed. 23 h 42 m 35 s in all. */
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

/** A step is shorter by up to this part of it, so that what failed together does not come back together. */
const JITTER = 0.1

/** The last attempt is due this long after the delivery's creation at the latest: "up to about 24 hours". */
export const LAST_DUE_MS = 24 * HOUR

/** Nothing is tried later than this after the delivery's creation: half an hour for what had to wait for its turn. */
export const HORIZON_MS = LAST_DUE_MS + 30 * MINUTE

/** A receiver may ask for a pause of at most this. */
export const MAX_RETRY_AFTER_SECONDS = HOUR / SECOND

/** The answers whose `Retry-After` is heeded: too many requests, unavailable. */
const HEEDED: readonly (number | null)[] = [429, 503]

export interface FailedAttempt {
  /** Of the delivery. */
  readonly createdAt: Date
  /** Automatic attempts made so far, this one included; manual ones do not use up the schedule. */
  readonly attempts: number
  /** The HTTP status of the answer; null when none came. */
  readonly responseStatus: number | null
  /** From `parseRetryAfter`. */
  readonly retryAfterSeconds: number | null
}

/**
 * When the next automatic attempt is due; null when there is none to come and the delivery has failed.
 *
 * The step that would lead past 24 hours ends there, so that pauses on the way (asked for by the receiver, or spent
 * waiting for an open circuit) do not cost the last hours. A pause asked for is never cut short.
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
 * The seconds that a `Retry-After` header asks for, from its two forms (RFC 9110, 10.2.3): whole seconds, or an HTTP date
 * (one that has passed asks for 0). Null for anything else.
 *
 * @example parseRetryAfter('120', new Date()) // 120
 */
export function parseRetryAfter(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const date = new Date(text)
  // Read leniently, then written again: only the one form that is in use comes back the same.
  if (Number.isNaN(date.getTime()) || date.toUTCString() !== text) return null
  return Math.max(0, Math.ceil((date.getTime() - now.getTime()) / SECOND))
}
