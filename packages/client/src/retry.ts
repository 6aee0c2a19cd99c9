// Whether an attempt is followed by another, and after what pause.
import { ClinicDataError, ConnectionError } from './errors.ts'

/** The service says with these that it may answer later (specification, Errors). */
const REPEATED_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503])
/** Refused before anything was done: a repeat is safe whatever the request. */
const REFUSED = 429
/**
 * With `Retry-After`: another request with the same `Idempotency-Key` is under way. To our own repeat that is our attempt
 * before, whose answer was lost: it is waited for. To a first attempt it is another program's.
 */
const UNDER_WAY = 409
/** Whoever is told to wait longer than this is told so by the error. */
const MAX_RETRY_AFTER_MS = 60_000
const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 8_000

export interface FailedAttempt {
  readonly error: unknown
  /** Null when no answer came, or none that says when to ask again. */
  readonly retryAfterMs: number | null
  /** Attempts so far, this one among them. */
  readonly attempts: number
  /** Whether asking twice does what asking once does. */
  readonly isRepeatable: boolean
}

/**
 * Milliseconds until the next attempt, or null when there is to be none. Exponential backoff with full jitter: a random part of
 * the backoff, so that clients that failed together do not come back together; `Retry-After` is waited for before it.
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

/** `Retry-After`: seconds, or, as a proxy may write it, a date. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(wait) ? null : Math.max(0, wait)
}
