// The operations of integrations: what a clinic has with each partner, what each may do and did, and Stop.
import { MAX } from '@clinic-data/contract/limits'
import {
  about,
  choice,
  distinct,
  GivenName,
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
import { ALERTS, Alert } from './alerts/alert-operations.ts'
import { CONNECTIONS, Connection } from './connect-operations.ts'
import { changeOf, consoleOperation } from './console-operation.ts'
import { CONSOLE_KEYS, ConsoleKey, LatestUse } from './console-resources.ts'
import { WebhookHealth } from './webhook-operations.ts'

/** The longest of the list. */
export const INTEGRATIONS_LISTED = 1_000
/** A person, a phone, an address: whom to call. */
export const CONTACT = 500
export const NOTES = 4_000
/** As many as one request moves. */
const MOVED = 100
const RESOURCES = 20
const NUMBER = 2_000_000_000

const Contact = text(CONTACT, { ...trimmed, description: 'Whom to call.' })
const Notes = text(NOTES, trimmed)
const count = (description: string) => whole(0, NUMBER, { description })

const integration = {
  id: Id,
  name: text(MAX.name),
  contact: nullable(text(CONTACT), { description: 'Null: nobody is named, or the role does not see it.' }),
  created_at: Instant,
  stopped_at: nullable(Instant, { description: 'Null: it goes on.' }),
  stopped_by: nullable(NamedReference, {
    description: 'The administrator. Null: the operator, a rule, or it goes on.',
  }),
  is_stopped_by_rule: Type.Boolean({ description: 'A rule of the watch stopped it: its alert says why.' }),
  keys: count('Those that are neither revoked nor expired. A stopped one counts.'),
  connections: count('Those that have not ended. A stopped one counts.'),
  webhooks: count('Those that are enabled or paused, and those that were disabled for their failures.'),
  failing_webhooks: count('Enabled ones whose last attempt failed, and those that were disabled for their failures.'),
  last_used_at: nullable(Instant),
  expires_at: nullable(Instant, { description: 'When the first of its keys and connections ends by itself.' }),
  patients_read_today: count(
    'People whose data its keys and connections got, patients and leads, since the clinic’s day began, each once a key.',
  ),
}

export const Integration = object(integration)

export type Integration = Static<typeof Integration>

const IntegrationUse = object({
  requests: count('By its keys and connections.'),
  refusals: count('Those with a status from 400.'),
  failures: count('Those with a status from 500.'),
  patients_read: count('People whose data its keys and connections got, patients and leads, each once a key and day.'),
  changes: count('Requests that changed something.'),
  delivered: count('Attempts of its webhooks that arrived.'),
  failed_attempts: count('Attempts of its webhooks that failed.'),
  busiest: nullable(
    object({
      key: NamedReference,
      requests: count('Its requests in its busiest minute.'),
      rate_limit: whole(1, 1_000_000, { description: 'What it may send a minute now.' }),
    }),
    { description: 'The key or connection that came nearest to its limit. Null: no request.' },
  ),
})

export type IntegrationUse = Static<typeof IntegrationUse>

export const IntegrationPage = object({
  ...integration,
  notes: nullable(text(NOTES), { description: 'Null: there are none, or the role does not see them.' }),
  may: about(
    'What its keys and connections that have not ended may do together, for every resource.',
    list(object({ resource: text(MAX.code), reads: Type.Boolean(), writes: Type.Boolean() }), RESOURCES),
  ),
  today: about('Since the clinic’s day began.', IntegrationUse),
  month: about('Of the clinic’s last 30 days, today included.', IntegrationUse),
  addresses: about('As of a key. Empty where the role does not see them.', LatestUse.addresses),
  key_list: about('Without their networks where the role does not see these.', list(ConsoleKey, CONSOLE_KEYS)),
  connection_list: about(
    'Without their networks and where they connected from, where the role does not see these.',
    list(Connection, CONNECTIONS),
  ),
  webhook_list: list(
    object({
      ...WebhookHealth.properties,
      url: text(MAX.url),
      description: nullable(text(MAX.description)),
      enabled: Type.Boolean(),
      is_stopped: Type.Boolean({ description: 'Stop has paused it, and undoing Stop enables it.' }),
    }),
    MAX.subscriptions,
  ),
})

export type IntegrationPage = Static<typeof IntegrationPage>

/** Tells what Stop did, or its undoing. */
const StopAnswer = object({
  id: Id,
  stopped_at: nullable(Instant),
  keys: count('Keys that are refused now, or accepted again.'),
  connections: count('Connections likewise.'),
  webhooks: count('Webhooks that are paused now, or enabled again.'),
  waiting: count('Deliveries that wait until Stop is undone, or go on now.'),
  expired: count(
    'Deliveries whose time ended while they waited: they have failed, and can be retried. After Stop: none.',
  ),
})

export type StopAnswer = Static<typeof StopAnswer>

/** Why something is on the page that the clinic sees first. */
export const newsKinds = ['key', 'connection', 'webhook', 'stopped', 'disabled_webhook'] as const

const Home = object({
  integrations: list(Integration, INTEGRATIONS_LISTED, { description: 'By name.' }),
  since: nullable(Instant, { description: 'When the administrator was here before. Null: never.' }),
  news: list(
    object({ kind: choice(newsKinds), id: Id, name: text(MAX.url), at: Instant, integration: NamedReference }),
    50,
    {
      description: 'What is new since then, the latest first.',
    },
  ),
  expiring: list(
    object({
      kind: choice(['key', 'connection']),
      id: Id,
      name: text(MAX.name),
      expires_at: Instant,
      integration: NamedReference,
    }),
    50,
    { description: 'What ends by itself within 14 days, the first one first.' },
  ),
  alerts: list(Alert, ALERTS.most_on_home, {
    description: 'What was unusual and nobody has looked at, the latest first. None for whoever may not see alerts.',
  }),
  unseen_alerts: whole(0, MAX.seconds, { description: 'How many of them there are.' }),
  waiting_approvals: whole(0, MAX.seconds, { description: 'What others ask for, and the reader may approve.' }),
})

export type Home = Static<typeof Home>

export const integrationOperations = {
  /** Which integrations there are, what fails, what is new, and what ends soon. */
  home: consoleOperation({
    id: 'console.home',
    method: 'GET',
    path: '/console/api/home',
    output: object({ data: Home }),
  }),
  /** By name. */
  listIntegrations: consoleOperation({
    id: 'console.integrations.list',
    method: 'GET',
    path: '/console/api/integrations',
    output: object({ data: list(Integration, INTEGRATIONS_LISTED) }),
  }),
  integration: consoleOperation({
    id: 'console.integrations.get',
    method: 'GET',
    path: '/console/api/integrations/{id}',
    output: object({ data: IntegrationPage }),
  }),
  /** An empty one, to which keys, connections and webhooks are joined. The same `Idempotency-Key` again is 409. A name that another one has is 422. */
  createIntegration: consoleOperation({
    id: 'console.integrations.create',
    method: 'POST',
    path: '/console/api/integrations',
    takesIdempotencyKey: true,
    audited: 'console.integrations.create',
    body: strictObject({
      name: GivenName,
      contact: Type.Optional(nullable(Contact)),
      notes: Type.Optional(nullable(Notes)),
    }),
    output: object({ data: Integration }),
    status: 201,
  }),
  changeIntegration: consoleOperation({
    id: 'console.integrations.change',
    method: 'POST',
    path: '/console/api/integrations/{id}',
    audited: 'console.integrations.change',
    body: changeOf({
      name: Type.Optional(GivenName),
      contact: Type.Optional(nullable(Contact)),
      notes: Type.Optional(nullable(Notes)),
    }),
    output: object({ data: Integration }),
  }),
  /**
   * Moves keys, connections and webhooks to this integration. One that is left with nothing, no contact and no notes goes. 409 while one of
   * them is stopped.
   */
  joinIntegration: consoleOperation({
    id: 'console.integrations.join',
    method: 'POST',
    path: '/console/api/integrations/{id}/join',
    audited: 'console.integrations.join',
    body: strictObject({
      ids: about('Of keys, connections and webhooks.', list(Id, MOVED, { minItems: 1, ...distinct })),
    }),
    output: object({ data: Integration }),
  }),
  /**
   * Moves all of another integration to this one: keys, connections, webhooks, contact and notes. The other one goes. If one of the two is stopped,
   * all of both is.
   */
  mergeIntegration: consoleOperation({
    id: 'console.integrations.merge',
    method: 'POST',
    path: '/console/api/integrations/{id}/merge',
    audited: 'console.integrations.merge',
    body: strictObject({ from: about('The other one.', Id) }),
    output: object({ data: Integration }),
  }),
  /** Answers when every part of the service refuses its keys and connections, and no delivery to its webhooks begins. */
  stopIntegration: consoleOperation({
    id: 'console.integrations.stop',
    method: 'POST',
    path: '/console/api/integrations/{id}/stop',
    audited: 'console.integrations.stop',
    output: object({ data: StopAnswer }),
  }),
  /** Undoes what Stop did, and nothing else: what was revoked, ended or paused by hand stays so. */
  resumeIntegration: consoleOperation({
    id: 'console.integrations.resume',
    method: 'POST',
    path: '/console/api/integrations/{id}/resume',
    audited: 'console.integrations.resume',
    output: object({ data: StopAnswer }),
  }),
} as const
