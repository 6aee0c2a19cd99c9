// The private doors over a test's database: a listener, a token of a clinic, and what its integrations would receive.
import { after } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import Fastify from 'fastify'
import { ingestRoutes } from '../src/ingest/ingest-routes.ts'
import { mintIngestToken } from '../src/ingest/ingest-tokens.ts'
import { failingLog, type TestDatabase } from './test-database.ts'

export interface Sent {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  json: any
}

export type Send = (path: string, body: unknown, headers?: Record<string, string>) => Promise<Sent>

/** What a clinic's own system sends, and what it is answered. Closed after the tests of the file. */
export async function ingestOf({ owner, app }: TestDatabase, clinic: Clinic, now = () => new Date()): Promise<Send> {
  const listener = Fastify({ logger: false })
  const parts = { database: app, now, log: failingLog, baseUrl: 'https://api.clinic.example' }
  await listener.register(ingestRoutes(parts), { prefix: '/ingest' })
  await listener.ready()
  after(() => listener.close())
  const { token } = await mintIngestToken(owner, { clinic_id: clinic.clinic_id, name: 'test', now: new Date() })
  return async (path, body, headers = {}) => {
    const answer = await listener.inject({
      method: 'POST',
      url: `/ingest/v1${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      payload: Buffer.isBuffer(body) ? body : JSON.stringify(body),
    })
    return { status: answer.statusCode, json: JSON.parse(answer.payload) }
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
