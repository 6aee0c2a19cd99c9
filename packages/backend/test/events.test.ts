// The event feed: every event once, in the order of the clinic's counter, during writes and from every starting point.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clinic, type EventType, eventTypes, type Position } from '@clinic-data/contract'
import { type ClinicSession, Database, type Statement, sql } from '@clinic-data/database'
import { ask, type Input, problem, walk } from '@clinic-data/testing/grounds/ask'
import { webhookGround } from '@clinic-data/testing/grounds/webhook-ground'
import { asApplication } from '@clinic-data/testing/run/application'
import { type Change, emit } from '@clinic-data/webhooks'
import { takePlaces } from '@clinic-data/webhooks/events/event-counter'
import fc from 'fast-check'

const ground = await webhookGround()
const { owner, app, ownerUrl, backend, newClinic, subscribe, happen, at, now } = ground

/** Something happens after the first statement that is read. All of them are counted. */
class InterruptedReads extends Database {
  afterFirst: (() => Promise<unknown>) | null = null
  reads = 0

  override async read<R extends object>(session: ClinicSession, statement: Statement): Promise<R[]> {
    this.reads++
    const rows = await super.read<R>(session, statement)
    const happens = this.afterFirst
    this.afterFirst = null
    await happens?.()
    return rows
  }
}

const read = (clinic: Clinic, input: Input = {}) => ask(backend, clinic, 'events.list', input)
const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id)

/** The ids of a clinic's events in the order of its counter. */
async function inOrder({ clinic_id }: Clinic): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    sql`select id from event where clinic_id = ${clinic_id} and position is not null order by position`,
  )
  return rows.map(({ id }) => id)
}

/** Several events of one type, a second apart. */
async function store({ clinic_id }: Clinic, count: number, type: EventType, firstAt: string): Promise<void> {
  await owner.query(sql`insert into event_counter as c (clinic_id, last_position) values (${clinic_id}, ${count})
    on conflict (clinic_id) do update set last_position = c.last_position + excluded.last_position`)
  await owner.query(sql`
    insert into event (clinic_id, id, position, type, body, created_at)
    select clinic_id, 'e' || position, position, ${type}, '{"id":"e' || position || '","type":"' || ${type}
      || '","created_at":"' || to_char(made at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":{}}', made
    from event_counter c
      cross join lateral (select last_position - ${count}::bigint + n as position,
        ${firstAt}::timestamptz + n * interval '1 second' as made from generate_series(1, ${count}::integer) n) counted
    where clinic_id = ${clinic_id}`)
}

test('without a cursor the feed begins now and says where, and later events appear once', async () => {
  const clinic = await newClinic()
  const before = await read(clinic)
  assert.deepEqual([before.data, before.next], [[], null])
  const [first] = await happen(clinic, 'patient.created')
  assert.deepEqual(idsOf(await read(clinic)), [])
  const page = await read(clinic, { after: before.resume })
  assert.deepEqual([idsOf(page), page.next], [[first], null])
  assert.deepEqual(idsOf(await read(clinic, { after: page.resume })), [])
  assert.deepEqual(idsOf(await read(clinic, { after: before.resume })), [first])
})

test('a walk with pages of any size shows every event in the order of the counter', async () => {
  const clinic = await newClinic()
  for (let i = 0; i < 5; i++) await happen(clinic, 'patient.created', 'call.updated', 'payment.recorded')
  const all = await inOrder(clinic)
  const since = now().toISOString()
  for (const limit of [1, 4, 15, 100]) {
    assert.deepEqual(
      (await walk(backend, clinic, 'events.list', { limit, query: { since } })).map(({ id }) => id),
      all,
    )
  }
})

test('rare types are found among many others, and a page without a match keeps its position', async () => {
  const clinic = await newClinic()
  await store(clinic, 2500, 'patient.updated', '2026-07-12T03:00:00Z')
  const input = { query: { since: '2026-07-12T00:00:00Z', event_types: 'call.completed,payment.recorded' } }
  const nothing = await read(clinic, input)
  assert.deepEqual([nothing.data, nothing.next], [[], null])
  const [payment] = await happen(clinic, 'payment.recorded')
  const [{ data }, later] = [await read(clinic, input), await read(clinic, { ...input, after: nothing.resume })]
  assert.deepEqual([data.map(({ id }) => id), idsOf(later)], [[payment], [payment]])
})

test('since begins with the first event at or after it, even if the clock was set back', async () => {
  const clinic = await newClinic()
  at('2026-07-12T06:00:00.000Z')
  await happen(clinic, 'patient.created')
  // Begun later, committed earlier: the counter says which of the two comes first.
  at('2026-07-12T06:00:20.000Z')
  const [later] = await happen(clinic, 'patient.updated')
  at('2026-07-12T06:00:10.000Z')
  const [earlier] = await happen(clinic, 'call.updated')
  const { data } = await read(clinic, { query: { since: '2026-07-12T06:00:05Z' } })
  const time = '2026-07-12T09:00:20.000+03:00'
  assert.deepEqual(
    data.map(({ created_at }) => created_at),
    [time, time],
  )
  const from = async (since: string) => idsOf(await read(clinic, { query: { since } }))
  assert.deepEqual(await from('2026-07-12T06:00:05Z'), [later, earlier])
  assert.deepEqual(await from('2026-07-12T06:00:15Z'), [later, earlier])
  assert.deepEqual(await from('2026-07-12T06:00:21Z'), [])
  assert.equal((await from('2020-01-01T00:00:00Z')).length, 3)
})

test('events whose times fell, as versions before could store them, are all found from every place', async () => {
  const clinic = await newClinic()
  // Across a midnight, so that they lie in two days' tables. Of those at or after 23:59:30 the sixth is the first by time, the third by position.
  const times = [
    '22:50:00',
    '23:59:20',
    '23:59:40',
    '23:59:25',
    '24:00:10',
    '23:59:35',
    '24:00:20',
    '23:10:00',
    '24:00:21',
  ]
  for (const [i, time] of times.entries()) {
    const moment = new Date(Date.parse('2026-07-12T00:00:00Z') + secondsOf(time) * 1000)
    await store(clinic, 1, 'patient.updated', new Date(moment.getTime() - 1000).toISOString())
    assert.equal((await inOrder(clinic)).length, i + 1)
  }
  const all = await inOrder(clinic)
  for (const limit of [1, 2, 3, 5, 8]) {
    const query = { since: '2026-07-12T22:00:00Z' }
    assert.deepEqual(
      idsOf({ data: await walk(backend, clinic, 'events.list', { limit, query }) }),
      all,
      `${limit} a page`,
    )
  }
  assert.deepEqual(idsOf(await read(clinic, { query: { since: '2026-07-12T23:59:30Z' } })), all.slice(2))
})

const secondsOf = (time: string) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

test('an event during the look-up of since appears then or after the resume', async (t) => {
  const clinic = await newClinic()
  const since = now().toISOString()
  const database = await new InterruptedReads(asApplication(ownerUrl)).open()
  t.after(() => database.close())
  database.afterFirst = () => happen(clinic, 'patient.created')
  const first = await ask(ground.with({ database }), clinic, 'events.list', { query: { since } })
  const later = await read(clinic, { after: first.resume })
  assert.deepEqual([...idsOf(first), ...idsOf(later)], await inOrder(clinic))
})

test('chat events are only for keys that may read chats, and refused when they are named', async () => {
  const clinic = await newClinic()
  const since = now().toISOString()
  await happen(clinic, ...eventTypes)
  const types = async (input: Input) =>
    (await read(clinic, { limit: 100, ...input, query: { since, ...input.query } })).data.map(({ type }) => type)
  assert.deepEqual(new Set(await types({})), new Set(eventTypes))
  const scopes = ['webhooks:manage'] as const
  const others = eventTypes.filter((type) => !type.startsWith('chat.'))
  assert.ok(others.length < eventTypes.length)
  assert.deepEqual(new Set(await types({ scopes })), new Set(others))
  const named = { query: { event_types: 'patient.created,chat.message.read' } }
  await assert.rejects(types({ scopes, ...named }), problem('forbidden', /chat:read/))
  assert.equal((await types(named)).length, 2)
})

test('a test event is not in the feed', async () => {
  const clinic = await newClinic()
  const { resume } = await read(clinic)
  const id = await subscribe(clinic)
  await ask(backend, clinic, 'webhooks.test', { params: { id }, body: { event_type: 'patient.created' } })
  assert.deepEqual(idsOf(await read(clinic, { after: resume })), [])
})

test('a cursor whose next events are no longer kept is refused with a reason, and the last cursor never is', async () => {
  const clinic = await newClinic()
  await store(clinic, 6, 'patient.updated', '2026-07-10T03:00:00Z')
  const query = { since: '2026-07-01T00:00:00Z' }
  const early = await read(clinic, { query, limit: 2 })
  const last = await read(clinic, { query, limit: 100 })
  await owner.query(sql`delete from event where clinic_id = ${clinic.clinic_id} and position <= 4`)
  await assert.rejects(read(clinic, { after: early.resume }), problem('invalid-request', /no longer kept|begin again/))
  assert.deepEqual(idsOf(await read(clinic, { after: last.resume })), [])
  assert.deepEqual(idsOf(await read(clinic, { query })), ['e5', 'e6'])
  // A clinic that was restored from an older copy has not counted so far yet.
  await owner.query(sql`update event_counter set last_position = 5 where clinic_id = ${clinic.clinic_id}`)
  await assert.rejects(read(clinic, { after: last.resume }), problem('invalid-request', /begin again/))
})

test('a cursor of what a restore has taken back is refused, also when the feed has gone past it since', async () => {
  const clinic = await newClinic()
  const { clinic_id } = clinic
  at('2026-07-12T06:00:00.000Z')
  await happen(clinic, 'patient.created')
  const kept = await read(clinic, { query: { since: '2026-07-12T00:00:00Z' } })
  at('2026-07-12T06:01:00.000Z')
  await happen(clinic, 'patient.updated')
  const lost = await read(clinic, { after: kept.resume })
  await owner.query(sql`delete from event where clinic_id = ${clinic_id} and position = 2`)
  await owner.query(
    sql`update event_counter set last_position = 1, last_at = '2026-07-12T06:00:00Z' where clinic_id = ${clinic_id}`,
  )
  at('2026-07-12T06:30:00.000Z')
  const anew: string[] = []
  for (const type of ['call.updated', 'payment.recorded'] as const) {
    anew.push(...(await happen(clinic, type)))
    await assert.rejects(read(clinic, { after: lost.resume }), problem('invalid-request', /begin again/))
    assert.deepEqual(idsOf(await read(clinic, { after: kept.resume })), anew)
  }
})

test('a look at the end of the feed reads the counter alone', async (t) => {
  const clinic = await newClinic()
  const database = await new InterruptedReads(asApplication(ownerUrl)).open()
  t.after(() => database.close())
  const looks = ground.with({ database })
  const look = async (after: Position | null) => {
    const before = database.reads
    const { data, resume } = await ask(looks, clinic, 'events.list', { after })
    return { found: data.length, resume: resume ?? null, reads: database.reads - before }
  }
  at('2026-07-12T06:00:00.000Z')
  const begun = await look((await look(null)).resume)
  assert.deepEqual([begun.found, begun.reads], [0, 1])
  await happen(clinic, 'patient.created')
  const grown = await look(begun.resume)
  assert.equal(grown.found, 1)
  const again = await look((await look(grown.resume)).resume)
  assert.deepEqual([again.found, again.reads], [0, 1])
  // A change without an event, after which the last event may be another one by the counter alone.
  at('2026-07-12T07:00:00.000Z')
  await app.write(clinic, (tx) => takePlaces(tx, clinic, 0, now()))
  const changed = await look(again.resume)
  assert.deepEqual([changed.found, changed.reads], [0, 2])
  const last = await look(changed.resume)
  assert.deepEqual([last.found, last.reads], [0, 1])
})

test('a page that ends where one request stops to search has the time of its place, and is gone on with', async () => {
  const clinic = await newClinic()
  await store(clinic, 100_001, 'patient.updated', '2026-07-10T03:00:00Z')
  await store(clinic, 1, 'call.updated', '2026-07-12T03:00:00Z')
  const query = { since: '2026-07-10T00:00:00Z', event_types: 'call.updated' }
  const first = await read(clinic, { query })
  assert.deepEqual([idsOf(first), first.next === null], [[], false])
  assert.deepEqual(idsOf(await read(clinic, { query, after: first.resume })), ['e100002'])
})

test("a position that is not the feed's is refused", async () => {
  const clinic = await newClinic()
  for (const after of [
    [],
    ['1'],
    ['x', '2026-07-12T06:00:00Z'],
    ['1', 'today'],
    ['-1', '2026-07-12'],
    ['1', '2026-07-12', ''],
  ]) {
    await assert.rejects(read(clinic, { after }), problem('invalid-request', /cursor/))
  }
})

test('under concurrent writers, some of which fail, readers that resume see every event once and in order', async () => {
  const writer = fc.array(fc.record({ events: fc.integer({ min: 1, max: 4 }), fails: fc.boolean() }), { maxLength: 8 })
  const run = fc.record({
    writers: fc.array(writer, { minLength: 2, maxLength: 5 }),
    readers: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(run, async ({ writers, readers }) => {
      const clinic = await newClinic()
      let writing = true
      const reading = readers.map((limit) => everything(clinic, limit, () => writing))
      await Promise.all(writers.map((batches) => writeAll(clinic, batches)))
      writing = false
      const all = await inOrder(clinic)
      for (const met of await Promise.all(reading)) assert.deepEqual(met, all)
    }),
    { numRuns: 12 },
  )
})

/** Reads from the beginning, each time from the end of the last answer. Stops at the first empty answer after the writers ended. */
async function everything(clinic: Clinic, limit: number, goesOn: () => boolean): Promise<string[]> {
  const met: string[] = []
  let after: Position | null = ['0', now().toISOString()]
  for (let isLast = false; !isLast; ) {
    isLast = !goesOn()
    for (;;) {
      const answer: Awaited<ReturnType<typeof read>> = await read(clinic, { limit, after })
      met.push(...idsOf(answer))
      after = answer.resume
      if (answer.next === null) break
    }
  }
  return met
}

async function writeAll(clinic: Clinic, batches: readonly { events: number; fails: boolean }[]): Promise<void> {
  for (const { events, fails } of batches) {
    const changes = Array.from({ length: events }, (): Change => ({ type: 'patient.updated', data: '{"id":"x"}' }))
    const writing = app.write(clinic, async (tx) => {
      await emit(tx, clinic, changes, now())
      if (fails) throw new Error('the change fails')
    })
    if (fails) await assert.rejects(writing, /the change fails/)
    else await writing
  }
}
