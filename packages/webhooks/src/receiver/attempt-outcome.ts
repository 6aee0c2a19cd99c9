// The outcome of one delivery attempt. Of the receiver's answer only the status and the requested pause are kept.
import type { IncomingHttpHeaders } from 'node:http'

/**
 * Why an attempt failed:
 *
 * - `dns`: the name has no address, or its name servers do not answer
 * - `blocked_address`: at least one address of the URL is forbidden for webhooks
 * - `connect`, `tls`: no connection, or no trusted, encrypted one
 * - `timeout`: connected, but no status in time
 * - `connection_lost`: connected, but broken off before a status
 * - `invalid_response`: the answer is not HTTP/1.1
 * - `redirect`, `http_4xx`, `http_5xx`: the status; redirects are not followed
 * - `aborted`: we ended it before a status came. How much the receiver saw is unknown, so it says nothing about the receiver
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
  /** 200 to 599. Null when none came. */
  readonly response_status: number | null
  /** Null means delivered: the status is 2xx. */
  readonly error: AttemptError | null
  /** From the call to the end of the answer, rounded. */
  readonly duration_ms: number
  /** As sent, with any status: seconds or an HTTP date, if the receiver follows the standard. */
  readonly retry_after: string | null
}

/** An HTTP date has 29 characters. */
const MAX_RETRY_AFTER = 64

/** The error of a status, or null for delivered. A final answer has a status from 200 to 599. */
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
