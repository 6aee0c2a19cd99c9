// The ingest API over a test's database: a listener, a clinic's token, and the events for its integrations.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { mintIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import type { TokenRate } from '@clinic-data/backend/intake/admission'
import { ingestRoutes } from '@clinic-data/backend/intake/ingest-routes'
import type { Intake } from '@clinic-data/backend/intake/intake'
import type { Clinic } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import type { Log } from '@clinic-data/surface/log'
import Fastify, { type FastifyInstance } from 'fastify'
import { failingLog, type TestDatabase } from '../run/test-database.ts'

export interface Sent {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any answer
  json: any
}

export type Send = (path: string, body: unknown, headers?: Record<string, string>) => Promise<Sent>

export const BASE_URL = 'https://api.clinic.example'

/** Signs file links, as the gateways of the same installation do. */
export const fileLinkKeys = signingKeys(parseSecretKeys(`t:${randomBytes(32).toString('base64')}`), 'file-link')

interface Opening {
  now?: () => Date
  log?: Log
  rate?: TokenRate
  intake?: Intake
}

/** A listener with the whole ingest API. Closed after the file's tests. */
export async function openIngest(
  { app }: Pick<TestDatabase, 'app'>,
  { now = () => new Date(), log = failingLog, rate, intake }: Opening = {},
): Promise<FastifyInstance> {
  const ingest = Fastify({ logger: false, routerOptions: { maxParamLength: 1_000 } })
  await ingest.register(
    ingestRoutes({
      database: app,
      now,
      log,
      baseUrl: BASE_URL,
      fileLinkKeys,
      addressOf: () => '192.0.2.1',
      ...(rate && { rate }),
      ...(intake && { intake }),
    }),
    {
      prefix: '/ingest',
    },
  )
  await ingest.ready()
  after(() => ingest.close())
  return ingest
}

export async function tokenOf(owner: Database, { clinic_id }: Clinic): Promise<{ id: string; token: string }> {
  return mintIngestToken(owner, { clinic_id, name: 'test', now: new Date() })
}

export interface Asking {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  token?: string | null
  body?: unknown
  headers?: Record<string, string>
}

/** One request: a body is JSON unless it is bytes. */
export async function askIngest(ingest: FastifyInstance, path: string, asking: Asking = {}) {
  const { method = 'POST', token = null, body, headers = {} } = asking
  const answer = await ingest.inject({
    method,
    url: `/ingest/v1${path}`,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  })
  return { status: answer.statusCode, headers: answer.headers, json: JSON.parse(answer.payload) }
}

/** One for each clock of the file. */
const listeners = new Map<() => Date, Promise<FastifyInstance>>()
const realNow = () => new Date()

/** A clinic's own system: its requests and their answers. */
export async function ingestOf(
  database: Pick<TestDatabase, 'app' | 'owner'>,
  clinic: Clinic,
  now = realNow,
): Promise<Send> {
  const listener = listeners.get(now) ?? openIngest(database, { now })
  listeners.set(now, listener)
  const ingest = await listener
  const { token } = await tokenOf(database.owner, clinic)
  return async (path, body, headers = {}) => {
    const { status, json } = await askIngest(ingest, path, { token, body, headers })
    return { status, json }
  }
}

export interface StoredEvent {
  id: string
  type: string
  created_at: string
  /** The resource's bytes. */
  data: string
}

/** The events of a clinic, in the order of its feed. */
export async function eventsOf(owner: Database, { clinic_id }: Clinic): Promise<StoredEvent[]> {
  const { rows } = await owner.query<{ body: string }>(sql`
    select body from event where clinic_id = ${clinic_id} order by position`)
  return rows.map(({ body }) => {
    const { id, type, created_at } = JSON.parse(body) as StoredEvent
    return { id, type, created_at, data: body.slice(body.indexOf(',"data":') + ',"data":'.length, -1) }
  })
}
