// Interprets WhatsApp's error codes: which of them prove that a message was not accepted, and which leave that open.

import { MAX } from '@clinic-data/contract'
import { boundedText, cutText, type Fields, fieldsOf } from './untrusted-json.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** Codes of rate limits, which refuse a message before reading it. Each with the time to wait. */
const THROTTLED: ReadonlyMap<number, number> = new Map([
  // Limits on the app's calls per hour.
  [4, MINUTE_MS],
  [80007, MINUTE_MS],
  // The limit on one number's messages per second.
  [130429, SECOND_MS],
  // One message every six seconds to the same person.
  [131056, 6 * SECOND_MS],
])

/** Documented as an outage of part of the platform, or an upgrade of the number. The message was not accepted. */
const AWAY: ReadonlySet<number> = new Set([131016, 131057, 133004])

/** "Unknown error", "temporary issue due to downtime", "something went wrong": these do not say whether it was accepted. */
const UNCERTAIN: ReadonlySet<number> = new Set([1, 2, 131000])

/** Whether an error is about the credentials. The platform's text may then quote the token. */
function isAboutCredentials(code: number): boolean {
  return code === 0 || code === 3 || code === 10 || code === 190 || (code >= 200 && code <= 299)
}

/**
 * Documented refusals because of the request, its sender, its recipient or its template. By the platform's documentation its codes
 * take precedence over the HTTP status. We ignore an unknown code, because it may not be a refusal.
 */
const VERDICTS: ReadonlySet<number> = new Set([
  ...[33, 100, 368, 130472, 130497, 131005, 131008, 131009, 131021, 131026, 131030, 131031, 131037, 131042, 131045],
  ...[131047, 131048, 131049, 131050, 131051, 132000, 132001, 132005, 132007, 132012, 132015, 132016, 133000, 133010],
  135000,
])

export interface PlatformError {
  code: number | null
  /** The reason shown to the clinic: bounded, without secrets. */
  reason: string
  isTransient: boolean
}

/** Reads the error object of an answer or a receipt. Removes `secret` wherever the error quotes it. */
export function readPlatformError(value: unknown, secret: string | null = null): PlatformError {
  const error = fieldsOf(value)
  const code = typeof error.code === 'number' && Number.isSafeInteger(error.code) ? error.code : null
  return { code, reason: reasonOf(error, code, secret), isTransient: error.is_transient === true }
}

function reasonOf(error: Fields, code: number | null, secret: string | null): string {
  const words = [fieldsOf(error.error_data).details, error.message, error.title]
    .map((text) => (typeof text === 'string' && secret !== null ? text.replaceAll(secret, '…') : text))
    .map((text) => boundedText(text, MAX.failure_reason)?.trim())
    .find((text) => text)
  const isOurs = code !== null && isAboutCredentials(code)
  const start = isOurs
    ? "The platform does not accept the clinic's credentials"
    : words || 'The platform gave no reason'
  const ending = code === null ? '' : ` (${code})`
  return cutText(start, MAX.failure_reason - ending.length) + ending
}

/** An error says this about the message. `after_ms` is null unless a limit requires a wait. */
export type ErrorMeaning = { kind: 'refused' | 'unknown' } | { kind: 'retry'; after_ms: number | null }

export function meaningOf({ code, isTransient }: PlatformError, status: number): ErrorMeaning {
  if (code !== null) {
    const wait = THROTTLED.get(code)
    if (wait !== undefined) return { kind: 'retry', after_ms: wait }
    if (AWAY.has(code)) return { kind: 'retry', after_ms: null }
    if (UNCERTAIN.has(code)) return { kind: 'unknown' }
    if (isAboutCredentials(code) || VERDICTS.has(code)) return { kind: 'refused' }
  }
  return isTransient ? { kind: 'unknown' } : meaningOfStatus(status)
}

/**
 * The meaning of a status without a known code. With 429 the platform has not accepted the request. With any other 4xx except 408
 * it has understood and declined it. 408 and 5xx may come from a proxy although the platform has the message.
 */
function meaningOfStatus(status: number): ErrorMeaning {
  if (status === 429) return { kind: 'retry', after_ms: null }
  return { kind: status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unknown' }
}
