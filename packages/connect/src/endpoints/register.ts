// `POST /oauth/register`: an app registers itself (RFC 7591), where the operator lets it. Nobody has looked at it, and the page of consent says so.

import { readScopes, type Scope } from '@clinic-data/contract'
import { type AppAnswer, type AppRequest, appAuthenticationMethods } from '@clinic-data/contract/app-request'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { newId } from '@clinic-data/contract/new-id'
import { type AppMetadata, describeFaults, readMetadata } from '../apps/app-metadata.ts'
import { insertSelfRegistered } from '../apps/self-registered.ts'
import type { ConnectParts } from '../connect-parts.ts'
import { type JsonObject, parseObject } from '../json-object.ts'
import { OAuthError } from '../oauth-error.ts'
import { scopesNamed } from '../tokens/refresh.ts'

const CREATED = 201
const FORBIDDEN = 403

/** @param most of such apps, for tests. @throws OAuthError */
export async function register(
  { database, mayRegister, now }: Pick<ConnectParts, 'database' | 'mayRegister' | 'now'>,
  { form, address }: Pick<AppRequest, 'form' | 'address'>,
  most?: { readonly all: number; readonly ofBlock: number },
): Promise<AppAnswer> {
  if (!mayRegister)
    throw new OAuthError('access_denied', 'Apps do not register themselves here: ask the operator.', FORBIDDEN)
  const value = parseObject(form.metadata ?? '')
  if (value === null) throw new OAuthError('invalid_client_metadata', 'Send the metadata as a JSON object.')
  const metadata = readable(value)
  // RFC 7591 names client_secret_basic as what an app has that says nothing. An app of that kind says it, and most are public.
  const method = String(value.token_endpoint_auth_method ?? 'none')
  const secret = metadata.authentication === 'client_secret' ? makeKey('oas_live_') : null
  const at = now()
  const client_id = newId('app', at)
  const client_name = metadata.name ?? 'An app without a name'
  const hash = secret === null ? null : hashKey(secret)
  await insertSelfRegistered(
    database,
    { ...metadata, id: client_id, name: client_name, secret_hash: hash, address, now: at },
    most,
  )
  return {
    status: CREATED,
    body: {
      client_id,
      client_id_issued_at: Math.floor(at.getTime() / 1_000),
      client_name,
      redirect_uris: metadata.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method,
      scope: grantedScopes(value.scope).join(' '),
      ...(metadata.keys !== null && { jwks: metadata.keys }),
      ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    },
  }
}

/** Without a scope of ours the app may ask for those of an authorization request without one. A person decides anyway. */
function grantedScopes(scope: unknown): readonly Scope[] {
  const named = typeof scope === 'string' ? scopesNamed(scope) : []
  return named.length === 0 ? readScopes : named
}

/** @throws OAuthError with all that is wrong. */
function readable(value: JsonObject): AppMetadata {
  const addressFault = () => 'is not read for an app that registers itself: send jwks'
  const read = readMetadata(value, { method: 'none', methods: appAuthenticationMethods, addressFault })
  if ('metadata' in read) return read.metadata
  const isOfRedirects = read.faults.every(({ member }) => member.startsWith('redirect_uris'))
  throw new OAuthError(
    isOfRedirects ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    `In the metadata, ${describeFaults(read.faults)}`,
  )
}
