// The base of the webhook tests: a backend that can seal secrets, with an injected clock and recorded callbacks.
import { randomBytes } from 'node:crypto'
import { type BackendOptions, createBackend } from '@clinic-data/backend'
import type { Backend, Clinic, EventType, Scope } from '@clinic-data/contract'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import { type Change, emit } from '@clinic-data/webhooks'
import { failingLog, type TestDatabase, testClinic, testDatabase } from '../run/test-database.ts'
import { ask } from './ask.ts'

export const newSecretKeys = () => parseSecretKeys(`t:${randomBytes(32).toString('base64')}`)

export const URL_OF_RECEIVER = 'https://crm.example.com/hooks/clinic'

export interface WebhookGround extends TestDatabase {
  backend: Backend
  /** Sets the time. */
  at(instant: string): void
  now: () => Date
  /** The clinics whose deliveries were reported as due. */
  readonly due: string[]
  newClinic(): Promise<Clinic>
  with(options: Partial<BackendOptions>): Backend
  subscribe(clinic: Clinic, event_types?: readonly EventType[], scopes?: readonly Scope[]): Promise<string>
  /** Events of these types, all at this moment, in the order of their ids. */
  happen(clinic: Clinic, ...types: EventType[]): Promise<string[]>
}

export async function webhookGround(): Promise<WebhookGround> {
  const database = await testDatabase()
  const { owner, app } = database
  let time = Date.parse('2026-07-12T06:30:00.123Z')
  const now = () => new Date(time)
  const due: string[] = []
  const secretKeys = newSecretKeys()
  const options = {
    database: app,
    now,
    log: failingLog,
    secretKeys,
    onDeliveriesDue: (id: string) => void due.push(id),
  }
  const backend = createBackend(options)
  return {
    ...database,
    backend,
    now,
    due,
    at: (instant) => {
      time = Date.parse(instant)
    },
    newClinic: () => testClinic(owner),
    with: (others) => createBackend({ ...options, ...others }),
    subscribe: async (clinic, event_types, scopes) => {
      const body = { url: URL_OF_RECEIVER, ...(event_types && { event_types }) }
      const { data } = await ask(backend, clinic, 'webhooks.create', { body, ...(scopes && { scopes }) })
      return data.id
    },
    happen: async (clinic, ...types) => {
      const changes = types.map((type): Change => ({ type, data: '{"id":"x"}' }))
      await app.write(clinic, (tx) => emit(tx, clinic, changes, now()))
      const { rows } = await owner.query<{ id: string }>(sql`
        select id from event where clinic_id = ${clinic.clinic_id} and position is not null
        order by position desc limit ${types.length}`)
      return rows.map(({ id }) => id).sort()
    },
  }
}

export interface StoredDelivery {
  subscription_id: string
  id: string
  event_id: string
  event_type: EventType
  status: string
  attempt_count: number
  automatic_count: number
  due_at: string | null
  manual_from: string | null
  scheduled_at: string | null
  scheduled_from: string | null
  lease_id: string | null
  created_at: string
}

/** As they are stored, in the order of their events. */
export async function deliveriesOf(owner: Database, { clinic_id }: Clinic): Promise<StoredDelivery[]> {
  const { rows } = await owner.query<StoredDelivery>(sql`
    select d.*, to_char(due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as due_at,
      to_char(scheduled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as scheduled_at,
      to_char(scheduled_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as scheduled_from
    from delivery d where clinic_id = ${clinic_id} order by d.created_at, event_id, subscription_id`)
  return rows
}
