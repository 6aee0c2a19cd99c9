// Lets web pages of any origin read an answer (CORS). No cookie opens anything here: a page knows no more than what it sends itself.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The documents hold no secret, and change only with a release or a setting. */
const DOCUMENT_SECONDS = 300
const PREFLIGHT_SECONDS = 3600

export const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, X-Request-Id',
} as const

export const DOCUMENT_HEADERS = { ...ANY_ORIGIN, 'cache-control': `public, max-age=${DOCUMENT_SECONDS}` } as const

/** Answers a browser that asks before it sends. Clients of MCP name their revision even when they ask for a document. */
export function preflight(method: 'GET' | 'POST') {
  const headers = {
    ...ANY_ORIGIN,
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  }
  return (_request: FastifyRequest, reply: FastifyReply): FastifyReply => reply.code(204).headers(headers).send()
}
