// How one attempt to deliver ended. Nothing of the receiver's answer is kept but its status and when to come again.
import type { IncomingHttpHeaders } from 'node:http'

/**
 * Why an attempt failed:
 *
 * - `dns`: the name has no address, or its name servers do not answer
 * - `blocked_address`: the URL leads where no webhook may go, by one of its addresses at least
 * - `connect`, `tls`: no connection; no trusted, encrypted one
 * - `timeout`: connected, and no status in time
 * - `connection_lost`: connected, then broken off before a status
 * - `invalid_response`: what came is no answer in HTTP/1.1
 * - `redirect`, `http_4xx`, `http_5xx`: the status; redirects are not followed
 * - `aborted`: by us, before there was a status; what the receiver has seen is not known. Says nothing of the receiver
 */
export type AttemptError =
  | 'dns'
  | 'blocked_address'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'connection_lost'
  | 'invalid_response'
  | 'redirect'
  | 'http_4xx'
  | 'http_5xx'
  | 'aborted'

export interface AttemptOutcome {
  /** 200 to 599; null when none came. */
  readonly response_status: number | null
  /** Null: delivered, the status is 2xx. */
  readonly error: AttemptError | null
  /** From the call to the end of the answer, rounded. */
  readonly duration_ms: number
  /** As sent, whatever the status: seconds or an HTTP date, if the receiver keeps to the standard. */
  readonly retry_after: string | null
}

/** An HTTP date has 29 characters. */
const MAX_RETRY_AFTER = 64

/** What a status says: null for delivered. Only 200 to 599 are statuses of a final answer. */
export function errorOfStatus(status: number): AttemptError | null {
  if (status < 200 || status > 599) return 'invalid_response'
  if (status < 300) return null
  if (status < 400) return 'redirect'
  return status < 500 ? 'http_4xx' : 'http_5xx'
}

export function retryAfterOf(headers: IncomingHttpHeaders): string | null {
  const value = headers['retry-after']
  return typeof value === 'string' && value.length <= MAX_RETRY_AFTER ? value : null
}
