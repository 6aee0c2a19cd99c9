// The dearest requests that a stranger can send to each endpoint, and how much work each may make us do, with the reason.
import { randomBytes, randomUUID } from 'node:crypto'
import { allConsoleOperations, CONSOLE_BODY_BYTES } from '@clinic-data/console-contract/console-operations'
import { openOperations } from '@clinic-data/console-contract/open-operations'
import { allOperations, REQUEST } from '@clinic-data/contract'
import { makeKey } from '@clinic-data/contract/key'
import { newId } from '@clinic-data/contract/new-id'
import { PORT_LIMITS } from '@clinic-data/contract/port-limits'
import { filledPath, routerPath } from '@clinic-data/contract/routes'
import { DOCUMENT_BOUNDS } from '@clinic-data/webhooks/receiver/document-client'
import { number, type StrangersServer } from './app-documents.ts'
import { noWork, type Work } from './counted-work.ts'

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** In place of the route's own. */
  readonly path?: string
  /** In place of an address of its own. */
  readonly from?: string
}

export interface Endpoint {
  /** Made anew for each request, so that no copy of an earlier one serves. */
  readonly send: readonly (() => Sent)[]
  readonly status: readonly number[]
  readonly most: Work
}

/** A look-up by something that only its holder knows: a key, a token, a link, an app. */
const ONE_LOOK_UP = 1
/** A parameter of a form or a text of the console's, and the claims of an assertion. */
const SMALL_JSON = 8_000
const BASE64_CHARACTERS = 3 / 4

const NOTHING: Work = noWork()
/** A key is looked up before anything of the body is read. */
const KEY: Work = { ...NOTHING, connections: ONE_LOOK_UP }
/** An app proves itself by one signature. Its document and its set of keys are read at most once for a request, 64 KB each. */
const PROOF: Work = {
  ...NOTHING,
  verified: 1,
  keys: 1,
  outbound: 2,
  parsed: 2 * DOCUMENT_BOUNDS.maxBytes + SMALL_JSON,
  // The app's row; a token that might be its.
  connections: 2,
  // The body.
  places: 1,
  // For both together, which is tried with a server that hangs.
  waitMs: DOCUMENT_BOUNDS.timeoutMs,
}
/** A form of the console is read before anything is looked up. */
const CONSOLE_FORM: Work = { ...NOTHING, parsed: CONSOLE_BODY_BYTES, connections: ONE_LOOK_UP }

const OWN_PAGE = { 'x-console': '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const unknownKey = () => ({ authorization: `Bearer ${makeKey()}` })
const registrationToken = () => ({ authorization: `Bearer ${makeKey('oar_live_')}` })
const plain = () => ({})

/** What only strangers and apps call. A route that is neither here nor in a family below has no entry, and fails the test. */
function ownEndpoints(apps: StrangersServer): Readonly<Record<string, Endpoint>> {
  const proving = (more: () => Readonly<Record<string, string>>): Endpoint => ({
    send: (['inside', 'apart'] as const).map((keys) => () => proof(apps.newApp(keys), more())),
    status: [401],
    most: PROOF,
  })
  const posted = (body: object): Sent => ({ headers: OWN_PAGE, body: JSON.stringify(body) })
  const token = () => posted({ token: randomBytes(100).toString('hex') })
  const long = 'x'.repeat(CONSOLE_BODY_BYTES - 200)
  return {
    'POST /oauth/token': proving(() => ({ grant_type: 'refresh_token', refresh_token: makeKey('ort_live_') })),
    'POST /oauth/revoke': proving(() => ({ token: makeKey('oat_live_') })),
    'POST /oauth/device': proving(() => ({})),
    'POST /oauth/register': {
      send: [() => ({ headers: { 'content-type': 'application/json' }, body: registration() })],
      status: [201],
      // Read strictly by the gateway, and by its members behind the port. One statement stores it, one for each block makes room: /64 and /48.
      most: { ...NOTHING, parsed: 2 * PORT_LIMITS.form_characters, connections: 3, places: 1 },
    },
    'GET /oauth/register/:client_id': {
      send: [() => ({ path: `/oauth/register/${newId('app', new Date())}`, headers: registrationToken() })],
      status: [401],
      most: KEY,
    },
    'GET /files/*': {
      send: [
        () => ({ path: `/files/${'a'.repeat(REQUEST.url_bytes - 200)}` }),
        () => ({ path: `/files/${fileLink()}` }),
      ],
      status: [404, 403, 410, 414],
      most: { ...NOTHING, parsed: REQUEST.url_bytes * BASE64_CHARACTERS },
    },
    'POST /mcp': { send: [() => ({ headers: unknownKey(), body: '{}' }), plain], status: [401], most: KEY },
    'GET /readyz': { send: [plain], status: [200], most: { ...NOTHING, connections: 1 } },
    'POST /console/api/sign-in': {
      send: [() => posted({ clinic_id: 'x', email: `${randomUUID()}@a.example`, password: 'p'.repeat(100) })],
      status: [401],
      // The hash of a password takes 0.3 s of a thread of the pool: strangers have one of four at a time, in turns by address.
      most: { ...CONSOLE_FORM, hashes: 1, places: 1, connections: 2 },
    },
    'POST /console/api/sign-in/link': { send: [token], status: [401], most: CONSOLE_FORM },
    'POST /console/api/sign-in/link/look': { send: [token], status: [401], most: CONSOLE_FORM },
    'POST /console/api/invitations/look': { send: [token], status: [422], most: CONSOLE_FORM },
    'POST /console/api/invitations/accept': {
      send: [() => posted({ token: randomUUID(), email: 'a@b.example' })],
      status: [422],
      most: CONSOLE_FORM,
    },
    'POST /console/api/sign-in/passkey/challenge': { send: [() => posted({})], status: [200], most: NOTHING },
    'POST /console/api/sign-in/passkey': {
      send: [() => posted(passkeyAnswer())],
      status: [401],
      // A challenge that we have not made ends it before the passkey is looked up. The client's data is JSON in the body.
      most: { ...NOTHING, parsed: CONSOLE_BODY_BYTES + 16_000 },
    },
    'GET /console/api/sign-in/ways': { send: [plain], status: [200], most: NOTHING },
    'POST /console/api/sign-in/openid': {
      send: [() => posted({ clinic_id: 'x' })],
      status: [200, 401, 404, 422],
      most: CONSOLE_FORM,
    },
    'GET /console/api/sign-in/openid/return': {
      send: [() => ({ path: `/console/api/sign-in/openid/return?code=${'a'.repeat(2_000)}&state=b` })],
      status: [303],
      // Without the cookie of an attempt the provider is not asked.
      most: NOTHING,
    },
    'GET /ingest/whatsapp': {
      send: [() => ({ path: '/ingest/whatsapp?hub.mode=subscribe' })],
      status: [403],
      most: NOTHING,
    },
    'POST /ingest/whatsapp': {
      send: [() => ({ headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }, body: long })],
      status: [401],
      // Its MAC is compared before a byte is read as JSON.
      most: { ...NOTHING, places: 1 },
    },
    'GET /metrics': { send: [plain], status: [200], most: NOTHING },
  }
}

/** The endpoint of a route, as `GET /path`. Null: nobody has said what it costs. */
export function endpointOf(route: string, apps: StrangersServer): Endpoint | null {
  const own = ownEndpoints(apps)[route]
  if (own !== undefined) return own
  const [method = '', path = ''] = route.split(' ')
  if (path === '/mcp') return { send: [plain], status: [401, 405], most: KEY }
  if (KEYED.has(route)) return { send: bodies(method, unknownKey), status: [401], most: KEY }
  if (SESSIONS.has(route)) return { send: bodies(method, () => OWN_PAGE), status: [401, 403], most: NOTHING }
  if (PRIVATE.test(path)) return { send: bodies(method, unknownKey), status: [401, 405], most: KEY }
  if (method === 'OPTIONS' && APPS.test(path)) return { send: [plain], status: [204], most: NOTHING }
  if (method === 'GET' && WRITTEN.test(path))
    return { send: [() => ({ headers: BROWSER })], status: PAGE, most: NOTHING }
  if (/^\/(?:console|ingest)\//.test(path)) return { send: [plain], status: [405], most: NOTHING }
  return null
}

const routesOf = (operations: readonly { method: string; path: string }[], under = '') =>
  operations.map(({ method, path }) => `${method} ${under}${routerPath(path)}`)
const KEYED = new Set(routesOf(allOperations))
const SESSIONS = new Set([
  ...routesOf(allConsoleOperations.filter(({ access }) => access === 'session')),
  ...routesOf(openOperations, '/console/api'),
])
/** No proxy leads there. */
const PRIVATE = /^\/(?:ingest\/v1|port)\//
const APPS = /^\/(?:oauth|\.well-known)\//
/** Texts that are written when the service starts, or once when somebody first asks. */
const WRITTEN =
  /^\/(?:|docs(?:\/.*)?|problems(?:\/:slug)?|llms\.txt|packages(?:\/.*)?|\.well-known\/.+|healthz|(?:ingest|v1)\/openapi\.json|console(?:\/.*)?)$/
const PAGE = [200, 302, 404, 405]
const BROWSER = { accept: 'text/html', 'accept-encoding': 'br, gzip' }

function bodies(method: string, headers: () => Readonly<Record<string, string>>): Endpoint['send'] {
  // It is not read, however long it is: a long one would be cut off on its way, and with it the answer.
  const body = `{"a":"${'x'.repeat(1_000)}"}`
  if (method === 'GET' || method === 'DELETE') return [plain, () => ({ headers: headers() })]
  return [plain, () => ({ headers: { 'content-type': 'application/json', ...headers() }, body })]
}

/** A path of the route whose parameters are filled in. */
export function pathOf(route: string): string {
  const [, path = ''] = route.split(' ')
  return filledPath({ path: path.replaceAll(/:(\w+)/g, '{$1}').replace('*', 'x') }, new Proxy({}, { get: () => 'x' }))
}

export function proof(client_id: string, more: Readonly<Record<string, string>>): Sent {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 60
  const claims = { iss: client_id, sub: client_id, aud: BASE_URL, exp, jti: randomUUID(), filling: 'x'.repeat(4_000) }
  const client_assertion = `${part({ alg: 'RS256', kid: 'k' })}.${part(claims)}.${signature()}`
  const form = new URLSearchParams({ client_id, client_assertion, client_assertion_type: ASSERTION, ...more })
  return { headers: FORM, body: form.toString() }
}

/** Less than any modulus of 4,096 bits, so that it is raised to its power. */
function signature(): string {
  return Buffer.concat([Buffer.alloc(1), Buffer.from(number(511), 'base64url')]).toString('base64url')
}

export const BASE_URL = 'https://api.clinic.example'

function registration(): string {
  const keys = Array.from({ length: 20 }, (_, i) => ({ kty: 'RSA', kid: `${i}`, n: number(512), e: 'AQAB' }))
  const app = {
    redirect_uris: ['http://127.0.0.1/back'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys },
    filling: '',
  }
  const filling = 'x'.repeat(PORT_LIMITS.form_characters - JSON.stringify(app).length)
  return JSON.stringify({ ...app, filling })
}

function passkeyAnswer(): object {
  const part = 'a'.repeat(16_000)
  const client_data = Buffer.from(JSON.stringify({ challenge: 'a', filling: 'x'.repeat(11_000) })).toString('base64url')
  return { credential_id: 'a'.repeat(1_000), user_handle: 'a', client_data, authenticator_data: part, signature: part }
}

function fileLink(): string {
  return `${Buffer.from(JSON.stringify({ a: 'x'.repeat(5_000) })).toString('base64url')}.${number(32)}`
}
