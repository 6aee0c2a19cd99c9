// `WWW-Authenticate` where apps can be connected: tells a client where tokens are given, and which scopes it needs (RFC 6750, RFC 9728).
import { type Problem, readScopes } from '@clinic-data/contract'
import type { FastifyRequest } from 'fastify'
import { MCP_RESOURCE, REST_RESOURCE } from './resource-paths.ts'

/** The value for a refused request. Null: the refusal is not about who asks. */
export type Challenge = (problem: Problem, request: FastifyRequest) => string | null

const TOKEN = /^Bearer oat_live_/i

/** Whether a request came with the token of a connected app, as far as its form tells. */
export function carriesAppToken({ headers }: FastifyRequest): boolean {
  return TOKEN.test(headers.authorization ?? '')
}

/** @param baseUrl without a slash at its end. */
export function challengeOf(baseUrl: string): Challenge {
  return (problem, request) => {
    const isMcp = request.routeOptions.url === '/mcp'
    const metadata = `resource_metadata="${baseUrl}${isMcp ? MCP_RESOURCE : REST_RESOURCE}"`
    if (problem.slug === 'unauthorized') {
      const error = /^Bearer /i.test(request.headers.authorization ?? '') ? ', error="invalid_token"' : ''
      return `Bearer ${metadata}, scope="${scopeAsked(request)}"${error}`
    }
    const { required_scope, needed_scopes = [] } = problem.members
    // Whoever holds a key cannot ask for another scope by itself.
    if (problem.slug !== 'forbidden' || required_scope === undefined || !carriesAppToken(request)) return null
    const { operation } = request.observed
    const needed = new Set([operation?.scope ?? required_scope, required_scope, ...needed_scopes])
    return `Bearer error="insufficient_scope", scope="${[...needed].join(' ')}", ${metadata}`
  }
}

/** That of the operation. The MCP server has many, and begins with those that change nothing. */
function scopeAsked({ observed }: FastifyRequest): string {
  return observed.operation?.scope ?? readScopes.join(' ')
}
