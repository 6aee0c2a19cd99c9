// What a sender is told of whatever was thrown.
import { Problem } from '@clinic-data/contract'
import type { FastifyRequest } from 'fastify'

export function problemOf(error: unknown, { raw }: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  // Nobody is there to read it; the audit log and the metrics are told the truth.
  if (raw.destroyed && !raw.complete) {
    return new Problem('request-timeout', 'The request did not arrive whole. Send it again.')
  }
  return ofServer(error) ?? unexpected(error)
}

/** The HTTP server's own refusals. */
function ofServer(error: unknown): Problem | null {
  switch ((error as { statusCode?: number } | null)?.statusCode) {
    case 400:
      return new Problem('invalid-request', 'The request is not well formed.')
    case 415:
      return new Problem('unsupported-media-type', 'Send a Content-Type that can be read.')
    default:
      return null
  }
}

function unexpected(cause: unknown): Problem {
  return new Problem(
    'internal-error',
    'An unexpected error. Send the same again: what was stored is not stored twice.',
    {},
    cause,
  )
}
