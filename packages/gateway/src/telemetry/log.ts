// The gateway's log lines, built from an allow-list, so that no patient data, key or secret can reach the log.
import type { Logger } from 'pino'

/** One line per request. The route is the contract's template, never the URL: `?phone=` is patient data. */
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

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** pino's redaction: a second net under the allow-list. */
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
    // A database's error about a refused row quotes that row.
    'err.detail',
    'err.where',
    'err.aggregateErrors[*].detail',
    'err.aggregateErrors[*].where',
  ],
  censor: '[redacted]',
}
