// The base of the engine's tests: clinics with subscriptions and events in the test database, and a clock that can be set.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { asApplication } from '../../database/test/application.ts'
import type { Claimed } from '../src/claim.ts'
import { Dispatcher, type DispatcherOptions, type Sent } from '../src/dispatcher.ts'
import { emit } from '../src/emit.ts'

export interface Ground {
  owner: Database
  app: Database
}

/** Closed after the file's tests. */
export async function ground(): Promise<Ground> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('run the tests with npm test: it starts the database')
  const owner = await openDatabase({ url, statementTimeoutMs: 0 })
  const app = await openDatabase(asApplication(url))
  after(async () => {
    await app.close()
    await owner.close()
  })
  return { owner, app }
}

export async function newClinic({ owner }: Ground): Promise<Clinic> {
  const clinic: Clinic = {
    clinic_id: `t${randomBytes(6).toString('hex')}`,
    time_zone: 'Asia/Jerusalem',
    country: 'IL',
    currency: 'ILS',
    week_start: 0,
    min_visit_minutes: 15,
  }
  const { clinic_id, time_zone, country, currency } = clinic
  await owner.query(sql`insert into clinic
    (clinic_id, name, time_zone, country, currency, week_start, min_visit_minutes, created_at)
    values (${clinic_id}, 'A clinic', ${time_zone}, ${country}, ${currency}, 0, 15, now())`)
  return clinic
}

/** A subscription to everything. */
export async function subscribe({ owner }: Ground, { clinic_id }: Clinic, id: string, url = `https://${id}.example`) {
  await owner.query(sql`insert into subscription
      (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    values (${clinic_id}, ${id}, ${url}, '{}', ${randomBytes(8)}, 'abcd', now())`)
  await owner.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, ${id})`)
}

/** Emits this many events at an instant. */
export async function happen({ app }: Ground, clinic: Clinic, count: number, now: Date): Promise<void> {
  const changes = Array.from({ length: count }, (_, i) => ({
    type: 'appointment.created' as const,
    data: `{"id":"a${i}","note":"${randomBytes(8).toString('hex')}"}`,
  }))
  await app.write(clinic, (tx) => emit(tx, clinic, changes, now))
}

/** Time passes only when a test says so. */
export class TestClock {
  #ms: number

  constructor(start = '2026-07-12T06:30:00.000Z') {
    this.#ms = Date.parse(start)
  }

  readonly now = () => new Date(this.#ms)

  pass(ms: number): void {
    this.#ms += ms
  }

  /** Moves to an instant, if it is in the future. */
  reach(instant: Date): void {
    this.#ms = Math.max(this.#ms, instant.getTime())
  }
}

export const delivered: Sent = { response_status: 204, error: null, duration_ms: 3, retry_after_seconds: null }
export const refused: Sent = { response_status: 500, error: 'http_5xx', duration_ms: 3, retry_after_seconds: null }

type Options = Partial<DispatcherOptions> & Pick<DispatcherOptions, 'send'>

/** An engine that does nothing by itself: a test makes it scan. Stopped after the file's tests. */
export function engine({ app }: Ground, clock: TestClock, options: Options): Dispatcher {
  const log = {
    warn: (detail: object, line: string) => assert.fail(`${line}: ${JSON.stringify(detail)}`),
    error: (detail: object, line: string) => assert.fail(`${line}: ${JSON.stringify(detail)}`),
  }
  const dispatcher = new Dispatcher({ database: app, now: clock.now, random: () => 0, log, ...options })
  after(() => dispatcher.stop(0))
  return dispatcher
}

export interface DeliveryRow {
  subscription_id: string
  event_id: string
  status: string
  attempt_count: number
  due_at: string | null
  error: string | null
}

export async function deliveriesOf({ owner }: Ground, { clinic_id }: Clinic): Promise<DeliveryRow[]> {
  const { rows } = await owner.query<DeliveryRow>(sql`
    select subscription_id, event_id, status, attempt_count, due_at, error from delivery
    where clinic_id = ${clinic_id} order by subscription_id, created_at, event_id`)
  return rows
}

export async function bodiesOf({ owner }: Ground, { clinic_id }: Clinic): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ id: string; body: string }>(sql`
    select id, body from event where clinic_id = ${clinic_id}`)
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** Records the sent deliveries in order. */
export function recorder(answer: (claimed: Claimed) => Sent | Promise<Sent> = () => delivered) {
  const sent: Claimed[] = []
  return {
    sent,
    send: async (claimed: Claimed): Promise<Sent> => {
      sent.push(claimed)
      return answer(claimed)
    },
  }
}
