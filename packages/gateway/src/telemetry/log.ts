// The gateway's log lines, built from an allow-list, so that no patient data, key or secret can reach the log.
import { TraceFlags, trace } from '@opentelemetry/api'
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

/** pino's mixin: a line that is written during a traced request names its trace, as collectors expect it. */
export function traceOfLine(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext()
  return span && span.traceFlags & TraceFlags.SAMPLED ? { trace_id: span.traceId, span_id: span.spanId } : {}
}

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
