// The base of the engine's tests: clinics with subscriptions and events in the test database, and a clock that can be set.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import type { Claimed } from '@clinic-data/webhooks/engine/claim'
import { Dispatcher, type DispatcherOptions, type Sent } from '@clinic-data/webhooks/engine/dispatcher'
import { emit } from '@clinic-data/webhooks/events/emit'
import { testClinic } from './test-clinic.ts'

export interface Ground {
  owner: Database
  app: Database
}

export interface EngineGround extends Ground {
  /** Closed after the file's tests, the last first. */
  opened: AsyncDisposableStack
}

export function newClinic({ owner }: Ground): Promise<Clinic> {
  return testClinic(owner)
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

/** An engine that scans only when a test makes it. Stopped after the file's tests, while its database is still open. */
export function engine({ app, opened }: EngineGround, clock: TestClock, options: Options): Dispatcher {
  const log = {
    warn: (detail: object, line: string) => assert.fail(`${line}: ${JSON.stringify(detail)}`),
    error: (detail: object, line: string) => assert.fail(`${line}: ${JSON.stringify(detail)}`),
  }
  const dispatcher = new Dispatcher({ database: app, now: clock.now, random: () => 0, log, ...options })
  opened.defer(() => dispatcher.stop(0))
  return dispatcher
}

/** One scan over all clinics, with everything that follows. */
export async function look(dispatcher: Dispatcher): Promise<void> {
  await dispatcher.scan()
  await dispatcher.idle()
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

/** A clinic with these subscriptions and a clock of its own, and what happens in it by that clock. */
export async function newScene(base: EngineGround, ...subscriptions: string[]) {
  const [clinic, clock] = [await newClinic(base), new TestClock()]
  for (const id of subscriptions) await subscribe(base, clinic, id)
  return {
    clinic,
    clock,
    happen: (count: number, now = clock.now()) => happen(base, clinic, count, now),
    engine: (options: Options) => engine(base, clock, options),
    deliveries: () => deliveriesOf(base, clinic),
  }
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
