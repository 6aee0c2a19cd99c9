// The audience that an app asks for: the address of the REST API or of the MCP server as `resource` (RFC 8707).
import type { Audience } from '@clinic-data/contract/grant'
import { OAuthError } from '../oauth-error.ts'

/** @returns null for none: the token is good at both. @throws OAuthError for another address, and for several. */
export function readResource(baseUrl: string, sent: readonly string[]): Audience | null {
  const wanted = new Set(sent.map((one) => audienceOf(baseUrl, one)))
  if (wanted.size > 1 || wanted.has(null))
    throw new OAuthError('invalid_target', `resource is one of ${baseUrl} and ${baseUrl}/mcp, or left out.`)
  return [...wanted][0] ?? null
}

function audienceOf(baseUrl: string, resource: string): Audience | null {
  const address = resource.endsWith('/') ? resource.slice(0, -1) : resource
  if (address === baseUrl || address === `${baseUrl}/v1`) return 'api'
  return address === `${baseUrl}/mcp` ? 'mcp' : null
}
