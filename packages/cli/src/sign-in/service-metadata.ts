// Reads what the service says of its sign-in for apps (RFC 8414).
import { readAddress } from '../connection/base-address.ts'
import { readDocument } from '../connection/token-endpoint.ts'
import { UsageError } from '../usage-error.ts'

export interface ServiceMetadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly revocation_endpoint: string
  readonly device_authorization_endpoint: string
}

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
] as const

/**
 * Null for a service that takes keys only.
 *
 * @throws UsageError when the service has another address, or names one that a token must not go to; ConnectionError,
 * UnexpectedAnswerError
 */
export async function serviceMetadata(baseUrl: string, signal: AbortSignal): Promise<ServiceMetadata | null> {
  const document = await readDocument(`${baseUrl}/.well-known/oauth-authorization-server`, signal)
  if (document === null) return null
  const { issuer } = document
  if (typeof issuer !== 'string' || issuer.replace(/\/+$/, '') !== baseUrl)
    throw new UsageError(
      `the service at ${baseUrl} says that its address is ${JSON.stringify(issuer)}`,
      'give sc login that address',
    )
  const addresses = ENDPOINTS.map((name) => [name, endpointOf(document[name], name, baseUrl)])
  return { issuer, ...(Object.fromEntries(addresses) as Record<(typeof ENDPOINTS)[number], string>) }
}

/** Only the page for people may be elsewhere: tokens go to the service alone. */
function endpointOf(value: unknown, name: string, baseUrl: string): string {
  const address = readAddress(String(value), `the service's ${name}`)
  if (name === 'authorization_endpoint' || new URL(address).origin === new URL(baseUrl).origin) return address
  throw new UsageError(`the service's ${name} is at another address than the service`)
}
