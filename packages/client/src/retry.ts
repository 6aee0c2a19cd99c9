// Decides whether to repeat an attempt, and after what pause (docs/decisions/0014).
import { ClinicDataError, ConnectionError } from './errors.ts'

/** With these the service says that it may answer later (specification, Errors). */
const REPEATED_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503])
/** Refused before anything was done, so repeating any request is safe. */
const REFUSED = 429
/**
 * With `Retry-After`: another request with the same `Idempotency-Key` is under way. On a repeat that is our previous attempt, whose
 * answer was lost, so we wait for it. On a first attempt it belongs to another program.
 */
const UNDER_WAY = 409
/** A longer `Retry-After` is left to the caller, who gets the error. */
const MAX_RETRY_AFTER_MS = 60_000
const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 8_000

export interface FailedAttempt {
  readonly error: unknown
  /** Null when no answer came, or the answer had no `Retry-After`. */
  readonly retryAfterMs: number | null
  /** Attempts so far, including this one. */
  readonly attempts: number
  /** Whether asking twice has the effect of asking once. */
  readonly isRepeatable: boolean
}

/**
 * Milliseconds until the next attempt, or null for none. Exponential backoff with full jitter: a random part of the backoff keeps
 * clients that failed together from returning together. Any `Retry-After` is waited for first.
 */
export function pauseBeforeRetry(failed: FailedAttempt, random: () => number = Math.random): number | null {
  const { error, retryAfterMs, attempts, isRepeatable } = failed
  const status = error instanceof ClinicDataError && 'status' in error ? error.status : null
  const isOwnUnderWay = status === UNDER_WAY && retryAfterMs !== null && attempts > 1
  const isTemporary =
    status === null ? error instanceof ConnectionError : REPEATED_STATUSES.has(status as number) || isOwnUnderWay
  if (!isTemporary || !(isRepeatable || status === REFUSED)) return null
  if (retryAfterMs !== null && retryAfterMs > MAX_RETRY_AFTER_MS) return null
  const backoff = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1))
  return Math.ceil((retryAfterMs ?? 0) + random() * backoff)
}

/** `Retry-After` in seconds, or as a date, which a proxy may write. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(wait) ? null : Math.max(0, wait)
}
