// Converts any error to a problem for the sender: a Problem, a refusal of the HTTP server, or anything else.
import { Problem } from '@clinic-data/contract'
import type { FastifyRequest } from 'fastify'

export function problemOf(error: unknown, { raw }: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  // The sender has gone and does not read it, but the audit log and the metrics need the right status.
  if (raw.destroyed && !raw.complete) {
    return new Problem('request-timeout', 'The request did not arrive whole. Send it again.')
  }
  switch ((error as { statusCode?: number } | null)?.statusCode) {
    case 400:
      return new Problem('invalid-request', 'The request is not well formed.')
    case 415:
      return new Problem('unsupported-media-type', 'Send a Content-Type that can be read.')
    default: {
      const detail = 'An unexpected error. Send the same again: what was stored is not stored twice.'
      return new Problem('internal-error', detail, {}, error)
    }
  }
}
