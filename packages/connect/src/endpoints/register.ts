// `POST /oauth/register`: an app registers itself (RFC 7591), where the operator lets it. Nobody has looked at it, and the page of consent says so.
// It reads its registration again (RFC 7592) by a token that it got with it.
import { timingSafeEqual } from 'node:crypto'
import { readScopes, type Scope } from '@clinic-data/contract'
import { type AppAnswer, type AppRequest, appAuthenticationMethods } from '@clinic-data/contract/app-request'
import { hashKey, isWellFormedKey, makeKey } from '@clinic-data/contract/key'
import { newId, timeOfId } from '@clinic-data/contract/new-id'
import { sql } from '@clinic-data/database'
import { type AppMetadata, describeFaults, readMetadata } from '../apps/app-metadata.ts'
import { insertSelfRegistered, type SelfRegistered } from '../apps/self-registered.ts'
import type { ConnectParts } from '../connect-parts.ts'
import { type JsonObject, parseObject } from '../json-object.ts'
import { OAuthError } from '../oauth-error.ts'
import { scopesNamed } from '../tokens/refresh.ts'

const CREATED = 201
const UNAUTHORIZED = 401
const FORBIDDEN = 403

const BEARER = /^Bearer (\S+)$/i

/** An app is told this of its registration. */
type Registration = Pick<
  SelfRegistered,
  'id' | 'name' | 'redirect_uris' | 'token_endpoint_auth_method' | 'scope' | 'keys'
>

/** @param most of such apps, for tests. @throws OAuthError */
export async function register(
  { database, baseUrl, mayRegister, now }: Pick<ConnectParts, 'database' | 'baseUrl' | 'mayRegister' | 'now'>,
  { form, address }: Pick<AppRequest, 'form' | 'address'>,
  most?: { readonly all: number; readonly ofBlock: number },
): Promise<AppAnswer> {
  if (!mayRegister)
    throw new OAuthError('access_denied', 'Apps do not register themselves here: ask the operator.', FORBIDDEN)
  const value = parseObject(form.metadata ?? '')
  if (value === null) throw new OAuthError('invalid_client_metadata', 'Send the metadata as a JSON object.')
  const metadata = readable(value)
  // RFC 7591 names client_secret_basic as what an app has that says nothing. An app of that kind says it, and most are public.
  const token_endpoint_auth_method = String(value.token_endpoint_auth_method ?? 'none')
  const secret = metadata.authentication === 'client_secret' ? makeKey('oas_live_') : null
  const token = makeKey('oar_live_')
  const at = now()
  const app: SelfRegistered = {
    ...metadata,
    id: newId('app', at),
    name: metadata.name ?? 'An app without a name',
    token_endpoint_auth_method,
    scope: grantedScopes(value.scope).join(' '),
    secret_hash: secret === null ? null : hashKey(secret),
    registration_hash: hashKey(token),
    address,
    now: at,
  }
  await insertSelfRegistered(database, app, most)
  return {
    status: CREATED,
    body: {
      ...described(baseUrl, app, token),
      ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    },
  }
}

/**
 * The answer to the registration again, but for the secret, of which only the hash is stored.
 *
 * @throws OAuthError that is the same for every app and token: nobody learns which apps there are.
 */
export async function readRegistration(
  { database, baseUrl }: Pick<ConnectParts, 'database' | 'baseUrl'>,
  { form: { client_id = '' }, authorization }: Pick<AppRequest, 'form' | 'authorization'>,
): Promise<AppAnswer> {
  const [, token = ''] = BEARER.exec(authorization ?? '') ?? []
  const sent = Buffer.from(hashKey(token))
  const isWellFormed = timeOfId('app', client_id) !== null && isWellFormedKey(token, 'oar_live_')
  const { rows } = isWellFormed
    ? await database.query<Registration & { registration_hash: string }>(sql`
    select id, name, redirect_uris, token_endpoint_auth_method, scope, jwks as keys, registration_hash
    from app where id = ${client_id} and registration_hash is not null and disabled_at is null`)
    : { rows: [] }
  const [app] = rows
  if (app === undefined || !timingSafeEqual(Buffer.from(app.registration_hash), sent))
    throw new OAuthError(
      'invalid_token',
      'Send the registration_access_token of this app as Authorization: Bearer. One that is gone or disabled has none: register again.',
      UNAUTHORIZED,
    )
  return { status: 200, body: described(baseUrl, app, token) }
}

function described(baseUrl: string, app: Registration, token: string): JsonObject {
  const { id, name, redirect_uris, token_endpoint_auth_method, scope, keys } = app
  return {
    client_id: id,
    client_id_issued_at: Math.floor((timeOfId('app', id)?.getTime() ?? 0) / 1_000),
    client_name: name,
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method,
    scope,
    ...(keys !== null && { jwks: keys }),
    registration_client_uri: `${baseUrl}/oauth/register/${id}`,
    registration_access_token: token,
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
