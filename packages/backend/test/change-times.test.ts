// A clock that jumps ahead and back: the times of a clinic's changes never go back, so a mirror misses none, and nothing waits for
// the wrong hour.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { importTimes } from '@clinic-data/changes/writing/change-times'
import { writeChanges } from '@clinic-data/changes/writing/write-changes'
import type { Backend, Clinic } from '@clinic-data/contract'
import { openDatabase, sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { chatClinic, NOW_MS, queueOf } from '@clinic-data/testing/grounds/chat-ground'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { asApplication } from '@clinic-data/testing/run/application'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app, ownerUrl } = await testDatabase()
const START_MS = Date.parse('2026-07-12T06:30:00.000Z')
const HOUR_MS = 3_600_000

/** A machine with its own clock. */
class Machine {
  ms = START_MS
  readonly backend: Backend

  constructor(database = app) {
    this.backend = createBackend({ database, now: () => new Date(this.ms), log: failingLog })
  }
}

async function otherMachine(t: TestContext): Promise<Machine> {
  const database = await openDatabase(asApplication(ownerUrl))
  t.after(() => database.close())
  return new Machine(database)
}

async function payingClinic(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa' })
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  await insert(owner, clinic, 'subscription', {
    id: 'w',
    event_types: [],
    url: 'https://receiver.example',
    secret: new Uint8Array(8),
    secret_last_characters: 'abcd',
    created_at: '2026-01-01T08:00:00Z',
  })
  return clinic
}

interface Paid {
  id: string
  /** Its `updated_at`. */
  ms: number
}

async function pay({ backend }: Machine, clinic: Clinic): Promise<Paid> {
  const body = { amount: 10, method_type: 'cash' }
  const { data } = await ask(backend, clinic, 'payments.create', { params: { id: 'p1' }, body })
  return { id: data.id, ms: Date.parse(data.updated_at ?? '') }
}

/** A client that follows `updated_since` by the guide. */
class Mirror {
  readonly ids = new Set<string>()
  readonly #machine: Machine
  readonly #clinic: Clinic
  #since = '1970-01-01T00:00:00Z'

  constructor(machine: Machine, clinic: Clinic) {
    this.#machine = machine
    this.#clinic = clinic
  }

  async follow(): Promise<void> {
    const input = { params: { id: 'p1' }, query: { updated_since: this.#since }, limit: 1000 }
    const { data } = await ask(this.#machine.backend, this.#clinic, 'payments.list', input)
    for (const { id } of data) this.ids.add(id)
    const last = data.at(-1)
    if (last !== undefined) this.#since = new Date(Date.parse(last.updated_at ?? '') - 60_000).toISOString()
  }
}

test('a mirror misses no row although the clock jumps an hour ahead for three minutes, on one machine or on two', async (t) => {
  const [clinic, one, other] = [await payingClinic(), new Machine(), await otherMachine(t)]
  const mirror = new Mirror(other, clinic)
  const paid: Paid[] = []
  for (const jumpMs of [0, HOUR_MS, 0]) {
    for (let n = 0; n < 6; n++) {
      for (const machine of [one, other]) {
        machine.ms = START_MS + paid.length * 10_000 + (machine === one ? jumpMs : 0)
        paid.push(await pay(machine, clinic))
      }
      await mirror.follow()
    }
  }
  assert.deepEqual(
    paid.filter(({ id }) => !mirror.ids.has(id)),
    [],
  )
  for (const [n, { ms }] of paid.entries())
    assert.ok(
      paid.slice(0, n).every((earlier) => earlier.ms - ms <= 30_000),
      `payment ${n} went back`,
    )
  // When the hour has passed, the clock is right again.
  one.ms = START_MS + 2 * HOUR_MS
  assert.equal((await pay(one, clinic)).ms, one.ms)
})

test('a change without an event counts too: later changes are never earlier', async () => {
  const machine = new Machine()
  const clinic = await chatClinic(owner)
  const send = async () => {
    const body = { conversation_id: 'v1', text: 'Hello' }
    const { data } = await ask(machine.backend, clinic, 'chat.messages.create', { body })
    return Date.parse(data.updated_at ?? '')
  }
  machine.ms = NOW_MS + HOUR_MS
  assert.equal(await send(), machine.ms)
  machine.ms = NOW_MS
  const later = await send()
  assert.ok(later > NOW_MS + HOUR_MS && later < NOW_MS + HOUR_MS + 1_000, `${later - NOW_MS}`)
})

test('deliveries and messages made after the clock went back are due by the clock', async () => {
  const [clinic, chat, machine] = [await payingClinic(), await chatClinic(owner), new Machine()]
  machine.ms += HOUR_MS
  await pay(machine, clinic)
  machine.ms -= HOUR_MS
  await pay(machine, clinic)
  const { rows } = await owner.query<{ ahead: string; due: number; created: number }>(sql`
    select extract(epoch from due_at)::float8 * 1000 as due, extract(epoch from created_at)::float8 * 1000 as created
    from delivery where clinic_id = ${clinic.clinic_id} order by event_id`)
  assert.deepEqual(
    rows.map(({ due }) => due),
    [START_MS + HOUR_MS, START_MS],
  )
  assert.deepEqual(
    rows.map(({ created }) => created),
    [START_MS + HOUR_MS, START_MS + HOUR_MS + 1],
  )

  const send = () => ask(machine.backend, chat, 'chat.messages.create', { body: { conversation_id: 'v1', text: 'a' } })
  machine.ms = NOW_MS + HOUR_MS
  await send()
  machine.ms = NOW_MS
  await send()
  const [, message] = await queueOf(owner, chat)
  assert.equal(Date.parse(String(message?.due_at)), NOW_MS)
})

test('the times of events never go back in the feed', async () => {
  const [clinic, machine] = [await payingClinic(), new Machine()]
  for (const ms of [0, HOUR_MS, 1_000, HOUR_MS + 2_000, 3_000]) {
    machine.ms = START_MS + ms
    await pay(machine, clinic)
  }
  const { rows } = await owner.query<{ at: number; text: string }>(sql`
    select extract(epoch from created_at)::float8 * 1000 as at, body::json ->> 'created_at' as text from event
    where clinic_id = ${clinic.clinic_id} order by position`)
  const times = rows.map(({ at }) => at - START_MS)
  assert.deepEqual(times, [0, HOUR_MS, HOUR_MS + 1, HOUR_MS + 2_000, HOUR_MS + 2_001])
  assert.deepEqual(
    rows.map(({ text }) => Date.parse(text) - START_MS),
    times,
  )
})

test('clocks that differ a little, and a transaction that takes long, keep their own times', async () => {
  const [clinic, machine] = [await payingClinic(), new Machine()]
  await pay(machine, clinic)
  machine.ms -= 30_000
  assert.equal((await pay(machine, clinic)).ms, machine.ms)
  machine.ms -= 1
  assert.equal((await pay(machine, clinic)).ms, START_MS + 1)
})

test('a change that was under way when another clock jumped starts again, with a later time', async () => {
  const clinic = await payingClinic()
  const instants: number[] = []
  const changed = async (at: Date, changes = true) => {
    instants.push(at.getTime())
    return { answer: at, changes: changes ? [{ type: 'patient.updated' as const, data: '{}' }] : [] }
  }
  const parts = { database: app, now: () => new Date(START_MS) }
  await writeChanges(parts, clinic, async (_tx, at) => {
    if (instants.length === 0) {
      const jumped = { database: app, now: () => new Date(START_MS + HOUR_MS) }
      await writeChanges(jumped, clinic, (_other, later) => changed(later))
    }
    return changed(at, false)
  })
  assert.deepEqual(instants, [START_MS + HOUR_MS, START_MS, START_MS + HOUR_MS + 1])
})

test('a row without a time does not check the clinic’s times', async () => {
  const clinic = await payingClinic()
  const parts = { database: app, now: () => new Date(START_MS) }
  await writeChanges(parts, clinic, async () => ({ answer: null, changes: [], isUndated: true }))
  const { rows } = await owner.query(sql`select from event_counter where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, 0)
})

test('an import continues from the latest change, and later changes from the import', async () => {
  const [clinic, machine] = [await payingClinic(), new Machine()]
  machine.ms = START_MS + HOUR_MS
  await pay(machine, clinic)
  let ms = START_MS
  const times = await importTimes(owner, clinic, () => new Date(ms))
  assert.equal(times.now().getTime(), START_MS + HOUR_MS + 1)
  ms = START_MS + 2 * HOUR_MS
  assert.equal(times.now().getTime(), ms)
  await times.end()
  machine.ms = START_MS + HOUR_MS
  assert.equal((await pay(machine, clinic)).ms, ms + 1)
})

/** A meeting of two transactions, and a fault that no further attempt mends. */
const faults = {
  '40P01': sql`do $$ begin raise exception using errcode = '40P01'; end $$`,
  '40001': sql`do $$ begin raise exception using errcode = '40001'; end $$`,
  '23505': sql`do $$ begin raise exception using errcode = '23505'; end $$`,
  '22012': sql`do $$ begin raise exception using errcode = '22012'; end $$`,
}

test('a change that meets another one in any way starts again, a few times at most', async () => {
  const clinic = await testClinic(owner)
  for (const [code, meetings, tries] of [
    ['40P01', 4, 5],
    ['40001', 4, 5],
    ['23505', 4, 5],
    ['40P01', 5, 5],
    ['22012', 1, 1],
  ] as const) {
    let tried = 0
    const changing = writeChanges({ database: app, now: () => new Date(START_MS) }, clinic, async (tx) => {
      tried++
      if (tried <= meetings) await tx.query(faults[code])
      return { answer: 'done', changes: [] }
    })
    if (tries > meetings) assert.equal(await changing, 'done')
    else await assert.rejects(changing, { code })
    assert.equal(tried, tries)
  }
})
