// The documents by which an app finds out how to be connected: RFC 9728 of the API and of the MCP server, RFC 8414 of the authorization server.
import { allScopes, readScopes } from '@clinic-data/contract'
import {
  appAuthenticationMethods,
  assertionAlgorithms,
  consolePaths,
  grantTypes,
} from '@clinic-data/contract/app-request'
import type { FastifyInstance } from 'fastify'
import { MCP_RESOURCE, REST_RESOURCE } from '../answers/resource-paths.ts'
import { DOCUMENT_HEADERS, preflight } from './any-origin.ts'

const SERVER = '/.well-known/oauth-authorization-server'

export interface WellKnownOptions {
  /** Without a slash at its end. It is the issuer, byte for byte. */
  baseUrl: string
  /** Where browsers reach the console, without a slash at its end. */
  consoleUrl: string
  /** Whether apps may register themselves. */
  mayRegister: boolean
}

/** @returns the routes, for the table of methods. */
export function wellKnownRoutes(app: FastifyInstance, options: WellKnownOptions): { path: string; method: string }[] {
  const documents = documentsOf(options)
  for (const [path, document] of documents) {
    const text = JSON.stringify(document)
    app.get(path, (_request, reply) => reply.headers(DOCUMENT_HEADERS).type('application/json').send(text))
    app.options(path, preflight('GET'))
  }
  return [...documents.keys()].flatMap((path) => ['GET', 'OPTIONS'].map((method) => ({ path, method })))
}

/**
 * The path of a base address stands behind the well-known part (RFC 8414, 3.1; RFC 9728, 3.1). A proxy that takes the path off may pass
 * the documents either way.
 */
function documentsOf({ baseUrl, consoleUrl, mayRegister }: WellKnownOptions): Map<string, object> {
  const { pathname } = new URL(baseUrl)
  const suffixes = pathname === '/' ? [''] : ['', pathname]
  const resource = (address: string, name: string) => ({
    resource: address,
    authorization_servers: [baseUrl],
    scopes_supported: readScopes,
    bearer_methods_supported: ['header'],
    resource_name: name,
    resource_documentation: `${baseUrl}/docs`,
  })
  const server = serverDocument({ baseUrl, consoleUrl, mayRegister })
  return new Map(
    suffixes.flatMap((suffix): [string, object][] => [
      [`${REST_RESOURCE}${suffix}`, resource(baseUrl, 'Clinic Data API')],
      [
        suffix === '' ? MCP_RESOURCE : `${REST_RESOURCE}${suffix}/mcp`,
        resource(`${baseUrl}/mcp`, 'Clinic Data API, MCP server'),
      ],
      [`${SERVER}${suffix}`, server],
    ]),
  )
}

function serverDocument({ baseUrl, consoleUrl, mayRegister }: WellKnownOptions) {
  return {
    issuer: baseUrl,
    authorization_endpoint: consoleUrl + consolePaths.authorize,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    device_authorization_endpoint: `${baseUrl}/oauth/device`,
    ...(mayRegister && { registration_endpoint: `${baseUrl}/oauth/register` }),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: appAuthenticationMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: appAuthenticationMethods,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: allScopes,
    service_documentation: `${baseUrl}/docs`,
  }
}
