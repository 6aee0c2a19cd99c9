// The operations of connected apps: what an app asks a clinic for, the person's yes or no, and the connections that there are.
import { audiences } from '@clinic-data/contract/grant'
import { MAX } from '@clinic-data/contract/limits'
import {
  about,
  choice,
  distinct,
  Id,
  Instant,
  list,
  NamedReference,
  nullable,
  object,
  type Static,
  strictObject,
  Type,
  text,
  trimmed,
  whole,
} from '@clinic-data/contract/schema'
import { allScopes } from '@clinic-data/contract/scopes'
import { changeOf, consoleOperation } from './console-operation.ts'
import { IntegrationChoice, KnownNetworks, LatestUse, Networks } from './console-resources.ts'

/** The longest of the connections' list. */
export const CONNECTIONS = 1_000
/** An authorization request in an address: a client id and a redirect URI of 2,000 characters, escaped, with the rest. */
export const LONGEST_REQUEST = 16_000
/** The longest life of a connection that is given one. */
const LONGEST_DAYS = 365
const REQUESTS = 1_000_000_000

/** Why a connection ended before its time. */
export const endReasons = [
  'ended',
  'by_app',
  'reused',
  'app_disabled',
  'person_disabled',
  'not_allowed',
  'replaced',
] as const

/** Where a connected app runs. */
const connectionPlaces = ['web', 'computer', 'device'] as const

export type ConnectionPlace = (typeof connectionPlaces)[number]

const Scopes = list(choice(allScopes), allScopes.length, { minItems: 1, ...distinct })
const audience = nullable(choice(audiences), {
  description: 'Where its tokens are good: the REST API or the MCP server. Null: both.',
})

const App = object({
  id: text(500, { description: "The app's `client_id`." }),
  name: text(MAX.name),
  host: nullable(
    text(253, { description: 'The host of the document at its id, which is its address. Null: it has none.' }),
  ),
  is_verified: Type.Boolean({ description: 'The operator has registered it.' }),
})

/** The request of an app, as the person is shown it. */
export const AskedAccess = object({
  app: App,
  returns_to: text(253, { description: 'The host to which the person is sent back. Empty for a device.' }),
  is_on_this_computer: Type.Boolean({
    description: 'It is a program on the computer of the person: any program there could take its place.',
  }),
  scopes: Scopes,
  may_give: about('Those of them that the person may give.', list(choice(allScopes), allScopes.length)),
  audience,
  is_allowed: Type.Boolean({ description: "The clinic's own rule allows the app. Else it can only be refused." }),
  is_stopped: Type.Boolean({
    description:
      'An integration of the app, or the one with its name, is stopped. Until that is undone, the app can only be refused.',
  }),
  integration: nullable(NamedReference, {
    description:
      "That of the app's earlier connections, or the one with the app's name: a new one belongs to it if nobody chooses another. Null: there is none, or the role lists no integrations.",
  }),
})

export type AskedAccess = Static<typeof AskedAccess>

/** The same for everybody who looks. */
export type ShownAccess = Omit<AskedAccess, 'may_give'>

const connection = {
  id: Id,
  app: App,
  scopes: list(choice(allScopes), allScopes.length),
  audience,
  rate_limit: nullable(whole(1, 1_000_000), { description: 'Requests a minute; null: the usual limit.' }),
  networks: KnownNetworks,
  connected_by: object({ id: Id, name: text(MAX.name) }),
  connected_at: Instant,
  place: nullable(choice(connectionPlaces), { description: 'Where it runs. Null: nobody noted it.' }),
  connected_from: nullable(text(MAX.code, { description: 'The address that took its first tokens.' })),
  last_used_at: nullable(Instant),
  expires_at: nullable(Instant),
  ended_at: nullable(Instant),
  end_reason: nullable(choice(endReasons)),
  stopped_at: nullable(Instant, { description: 'Its integration is stopped: it is refused until that is undone.' }),
  integration: nullable(NamedReference, { description: 'To which it belongs.' }),
  requests_24h: whole(0, REQUESTS),
}

export const Connection = object(connection)

export type Connection = Static<typeof Connection>

/** One connection with what it did last. */
export const ConnectionUse = object({
  ...connection,
  ...LatestUse,
})

export type ConnectionUse = Static<typeof ConnectionUse>

/** In the body: an address would stand in logs. */
const Request = {
  request: text(LONGEST_REQUEST, { minLength: 1, description: 'The part of the address after the question mark.' }),
}
const UserCode = { user_code: text(20, { minLength: 1, ...trimmed }) }
const Granted = {
  scopes: Scopes,
  days: nullable(whole(1, LONGEST_DAYS), { description: 'How long it lasts. Null: until somebody ends it.' }),
  ...IntegrationChoice,
}
const SentBack = object({ data: object({ redirect_to: text(LONGEST_REQUEST) }) })

export const connectOperations = {
  /**
   * Tells what an app asks for, and changes nothing. A request that must not be answered to its redirect address is 422; one that is wrong
   * otherwise has `redirect_to`, with the error for the app.
   */
  lookAtRequest: consoleOperation({
    id: 'console.connect.look',
    method: 'POST',
    path: '/console/api/connect/look',
    body: strictObject(Request),
    output: object({ data: object({ access: nullable(AskedAccess), redirect_to: nullable(text(LONGEST_REQUEST)) }) }),
  }),
  /** The scopes are those that were asked for, or fewer. The same `Idempotency-Key` again is 409: the code was sent once. */
  allowRequest: consoleOperation({
    id: 'console.connect.allow',
    method: 'POST',
    path: '/console/api/connect/allow',
    takesIdempotencyKey: true,
    audited: 'console.connect.allow',
    body: strictObject({ ...Request, ...Granted }),
    output: SentBack,
    status: 201,
  }),
  refuseRequest: consoleOperation({
    id: 'console.connect.refuse',
    method: 'POST',
    path: '/console/api/connect/refuse',
    audited: 'console.connect.refuse',
    body: strictObject(Request),
    output: SentBack,
  }),
  /** An unknown or expired code is 404, and too many of them are 429. */
  lookAtDevice: consoleOperation({
    id: 'console.device.look',
    method: 'POST',
    path: '/console/api/device/look',
    body: strictObject(UserCode),
    output: object({ data: AskedAccess }),
  }),
  allowDevice: consoleOperation({
    id: 'console.device.allow',
    method: 'POST',
    path: '/console/api/device/allow',
    takesIdempotencyKey: true,
    audited: 'console.device.allow',
    body: strictObject({ ...UserCode, ...Granted }),
  }),
  refuseDevice: consoleOperation({
    id: 'console.device.refuse',
    method: 'POST',
    path: '/console/api/device/refuse',
    audited: 'console.device.refuse',
    body: strictObject(UserCode),
  }),
  /** The latest first, also those that have ended. */
  listConnections: consoleOperation({
    id: 'console.connections.list',
    method: 'GET',
    path: '/console/api/connections',
    output: object({ data: list(Connection, CONNECTIONS) }),
  }),
  connection: consoleOperation({
    id: 'console.connections.get',
    method: 'GET',
    path: '/console/api/connections/{id}',
    output: object({ data: ConnectionUse }),
  }),
  /** Takes scopes away, or says when it ends and from where it may be used. A scope that it does not have is 422. */
  changeConnection: consoleOperation({
    id: 'console.connections.change',
    method: 'POST',
    path: '/console/api/connections/{id}',
    audited: 'console.connections.change',
    body: changeOf({
      scopes: Type.Optional(Scopes),
      expires_at: Type.Optional(nullable(text(MAX.instant, { format: 'instant' }))),
      networks: Type.Optional(Networks),
    }),
    output: object({ data: Connection }),
  }),
  /** Answers when its tokens are refused everywhere. */
  endConnection: consoleOperation({
    id: 'console.connections.end',
    method: 'POST',
    path: '/console/api/connections/{id}/end',
    audited: 'console.connections.end',
    output: object({ data: Connection }),
  }),
} as const
