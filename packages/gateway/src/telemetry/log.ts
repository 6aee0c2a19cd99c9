// The gateway's log lines: an allow-list of what a line holds, so that no patient data, key or secret can reach it.
import type { Logger } from 'pino'

/** One line a request. The route is the contract's template, never the URL: `?phone=` is patient data. */
export interface RequestLine {
  request_id: string
  method: string
  route: string
  operation: string | null
  status: number
  duration_ms: number
  clinic_id: string | null
  key_id: string | null
}

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>

/** Options for pino: the second net under the allow-list. */
export const redaction = {
  paths: [
    'authorization',
    'headers',
    'req',
    'res',
    'body',
    'query',
    'key',
    'secret',
    'password',
    'token',
    'err.config',
    'err.request',
    // What a database says of a row that it refuses quotes the row.
    'err.detail',
    'err.where',
  ],
  censor: '[redacted]',
}
