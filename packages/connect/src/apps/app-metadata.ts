// Reads what an app says of itself, in a document or when it registers itself (RFC 7591): everything that is wrong, at once.
import { isVisible, NAME_HINT } from '@clinic-data/contract/given-name'
import { MAX } from '@clinic-data/contract/limits'
import { isJsonObject, type JsonObject } from '../json-object.ts'
import type { AppAuthentication } from './app.ts'
import { jwksFault, usableKeys } from './assertion-keys.ts'
import { redirectFault } from './redirects.ts'

export interface AppMetadata {
  /** Null: it says none. */
  readonly name: string | null
  readonly redirect_uris: readonly string[]
  readonly authentication: AppAuthentication
  /** A JWK set, or the address of one. */
  readonly keys: JsonObject | string | null
}

export interface MetadataFault {
  readonly member: string
  /** ASCII, without quotes: it is part of an `error_description`. */
  readonly fault: string
}

/** Apps have one for each system that they run on. */
const MOST_REDIRECTS = 20

/** The methods of the token endpoint (RFC 7591, 2), by what they are here. */
const METHODS: Readonly<Record<string, AppAuthentication>> = {
  none: 'none',
  client_secret_basic: 'client_secret',
  client_secret_post: 'client_secret',
  private_key_jwt: 'private_key_jwt',
}

export interface MetadataRules {
  /** Where the app says no method. */
  readonly method: string
  /** The methods that it may choose. */
  readonly methods: readonly string[]
  /** Why the address of its keys is refused. Null: it is not. */
  readonly addressFault: (url: string) => string | null
}

export function readMetadata(
  value: JsonObject,
  rules: MetadataRules,
): { readonly metadata: AppMetadata } | { readonly faults: readonly MetadataFault[] } {
  const method = value.token_endpoint_auth_method ?? rules.method
  const faults = [
    ...nameFaults(value.client_name),
    ...redirectFaults(value.redirect_uris),
    ...listFaults(value, 'grant_types', 'authorization_code'),
    ...listFaults(value, 'response_types', 'code'),
    ...(typeof method === 'string' && rules.methods.includes(method)
      ? keyFaults(value, method, rules)
      : [{ member: 'token_endpoint_auth_method', fault: `must be one of ${rules.methods.join(', ')}` }]),
  ]
  if (faults.length > 0) return { faults }
  const { client_name, redirect_uris, jwks, jwks_uri } = value
  return {
    metadata: {
      name: typeof client_name === 'string' ? client_name.trim() : null,
      // Both were checked above.
      redirect_uris: [...new Set(redirect_uris as string[])],
      authentication: METHODS[String(method)] ?? 'none',
      keys: method !== 'private_key_jwt' ? null : isJsonObject(jwks) ? usableKeys(jwks) : String(jwks_uri),
    },
  }
}

/** All faults in one line for an `error_description`. */
export function describeFaults(faults: readonly MetadataFault[]): string {
  return `${faults.map(({ member, fault }) => `${member} ${fault}`).join('; ')}.`
}

function nameFaults(name: unknown): MetadataFault[] {
  if (name === undefined) return []
  const member = 'client_name'
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX.name)
    return [{ member, fault: `must be a text of 1 to ${MAX.name} characters` }]
  // A line break would make two lines of it, as if the second were ours.
  return isVisible(name) && !/[\t\n\u2028\u2029]/.test(name) ? [] : [{ member, fault: NAME_HINT }]
}

function redirectFaults(uris: unknown): MetadataFault[] {
  const member = 'redirect_uris'
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MOST_REDIRECTS)
    return [{ member, fault: `must be a list of 1 to ${MOST_REDIRECTS} addresses` }]
  return uris.flatMap((uri: unknown, i) => {
    const fault = typeof uri === 'string' ? redirectFault(uri) : 'must be a text'
    return fault === null ? [] : [{ member: `${member}[${i}]`, fault }]
  })
}

function listFaults(value: JsonObject, member: string, needed: string): MetadataFault[] {
  const list = value[member]
  const isGood = list === undefined || (Array.isArray(list) && list.includes(needed))
  return isGood ? [] : [{ member, fault: `must be a list with ${needed}, or be left out` }]
}

function keyFaults({ jwks, jwks_uri }: JsonObject, method: string, rules: MetadataRules): MetadataFault[] {
  if (method !== 'private_key_jwt') return []
  if ((jwks === undefined) === (jwks_uri === undefined))
    return [{ member: 'jwks', fault: 'or jwks_uri is needed for private_key_jwt, and not both' }]
  const fault = jwks_uri === undefined ? jwksFault(jwks) : rules.addressFault(String(jwks_uri))
  return fault === null ? [] : [{ member: jwks_uri === undefined ? 'jwks' : 'jwks_uri', fault }]
}
