// Reads. Many of them share one connection.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sized } from '@clinic-data/testing/run/size'
import { DatabaseError, DatabaseUnavailable, openDatabase, StatementTimeout, sql } from '../src/database.ts'
import { openTestDatabase, type TestDatabase } from './embedded.ts'

const clinics = Array.from({ length: 50 }, (_, i) => ({ clinic_id: `clinic-${i}`, time_zone: 'Asia/Jerusalem' }))
const [first, second] = clinics as [(typeof clinics)[0], (typeof clinics)[0]]
const KEY = { first: '1'.repeat(64), second: '2'.repeat(64) }

let db: TestDatabase
/** Reads that share a single connection. */
let narrow: Awaited<ReturnType<typeof openDatabase>>

before(async () => {
  db = await openTestDatabase()
  narrow = await openDatabase({ url: db.appUrl, ownerUrl: db.ownerUrl, readConnections: 1 })
  const notes = clinics.flatMap(({ clinic_id }) => ['a', 'b', 'c'].map((id) => [clinic_id, id, `of ${clinic_id}`]))
  await db.owner.query(sql`insert into test_note (clinic_id, id, body) values ${sql.values(notes)}`)
  await db.owner.query(sql`insert into test_queue (clinic_id) values (${first.clinic_id}), (${second.clinic_id})`)
  const keys = [
    [KEY.first, first.clinic_id],
    [KEY.second, second.clinic_id],
  ]
  await db.owner.query(sql`insert into test_key (key_hash, clinic_id) values ${sql.values(keys)}`)
})

after(async () => {
  await narrow?.close()
  await db?.close()
})

type Note = { clinic_id: string; id: string; body: string }
const allNotes = sql`select clinic_id, id, body from test_note order by id`

test('two interleaved clinics on one pipelined connection see only their own rows', async () => {
  const reads = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? first : second))
  const answers = await Promise.all(reads.map((clinic) => narrow.read<Note>(clinic, allNotes)))
  answers.forEach((notes, i) => {
    assert.equal(notes.length, 3)
    assert.ok(notes.every(({ clinic_id }) => clinic_id === reads[i]?.clinic_id))
  })
})

test('a setting that a statement left on a connection opens nothing to those after it', async (t) => {
  const connections = { readConnections: 1, writeConnections: 1, scanConnections: 1 }
  const alone = await openDatabase({ url: db.appUrl, ownerUrl: db.ownerUrl, ...connections })
  t.after(() => alone.close())
  const left = sql`select set_config('app.clinic_id', ${second.clinic_id}, false),
    set_config('app.key_hash', ${KEY.second}, false), set_config('app.dispatcher', 'on', false)`
  const seen = sql`select (select array_agg(distinct clinic_id) from test_note) as notes,
    (select array_agg(clinic_id) from test_key) as keys, (select array_agg(distinct clinic_id) from test_queue) as queues`
  for (const [opening, uses] of Object.entries({
    read: [() => alone.read(first, left), () => alone.read(first, seen)],
    scan: [() => alone.scan(first, left, 1000), async () => (await alone.scan(first, seen, 1000)).rows],
    write: [
      () => alone.write(first, (tx) => tx.query(left)),
      () => alone.write(first, async (tx) => (await tx.query(seen)).rows),
    ],
  } as const)) {
    const [leave, look] = uses
    await leave()
    assert.deepEqual(await look(), [{ notes: [first.clinic_id], keys: null, queues: [first.clinic_id] }], opening)
  }
  assert.deepEqual(await alone.readByKeyHash(KEY.first, seen), [{ notes: null, keys: [first.clinic_id], queues: null }])
  const [{ notes, keys } = {}] = await alone.readAsDispatcher<{ notes: null; keys: null }>(seen)
  assert.deepEqual([notes, keys], [null, null])
})

const READS = sized({ everyday: 2_000, long: 10_000 })

test("interleaved reads of 50 clinics on 4 connections return no other clinic's row", async () => {
  // Every second read asks for the next clinic's rows: only the policies prevent it.
  const reads = Array.from({ length: READS }, (_, i) => {
    const own = (i * 7) % clinics.length
    return { own: clinics[own] ?? first, other: clinics[(own + (i % 2)) % clinics.length] ?? first }
  })
  const answers = await Promise.all(
    reads.map(({ own, other }) =>
      db.app.read<Note>(own, sql`select clinic_id, id, body from test_note where clinic_id = ${other.clinic_id}`),
    ),
  )
  const wrong = answers.filter((notes, i) => {
    const read = reads[i]
    if (read?.own !== read?.other) return notes.length > 0
    return notes.length !== 3 || notes.some(({ clinic_id }) => clinic_id !== read?.own.clinic_id)
  })
  assert.deepEqual(wrong, [])
})

test('without a clinic no row is visible', async () => {
  assert.deepEqual((await db.app.query(allNotes)).rows, [])
})

test('a look-up of a key behind a read of a clinic sees none of its rows', async () => {
  const [own, behind] = await Promise.all([narrow.read(first, allNotes), narrow.readByKeyHash(KEY.first, allNotes)])
  assert.deepEqual([own.length, behind], [3, []])
})

test('a key hash shows only the row of its key', async () => {
  const keys = sql`select clinic_id from test_key`
  const [ofFirst, ofSecond, ofNone] = await Promise.all([
    narrow.readByKeyHash(KEY.first, keys),
    narrow.readByKeyHash(KEY.second, keys),
    narrow.readByKeyHash('3'.repeat(64), keys),
  ])
  assert.deepEqual(ofFirst, [{ clinic_id: first.clinic_id }])
  assert.deepEqual(ofSecond, [{ clinic_id: second.clinic_id }])
  assert.deepEqual(ofNone, [])
  assert.deepEqual(await narrow.read(first, keys), [])
})

test('a failed statement rejects only its own read on the connection', async () => {
  const answers = await Promise.allSettled([
    narrow.read(first, sql`select ${'before'} as said`),
    narrow.read(first, sql`select 1 / ${0}::int`),
    narrow.read(second, sql`select clinic_id from no_such_table`),
    narrow.read(second, sql`select clinic_id from test_note limit 1`),
  ])
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.code)),
    [[{ said: 'before' }], '22012', '42P01', [{ clinic_id: second.clinic_id }]],
  )
})

test('a value that cannot be serialized is refused before anything is sent', async () => {
  const statement = (value: string) => sql`select ${value}::text as said`
  const answers = await Promise.allSettled([
    narrow.read(first, statement('\ud800')),
    narrow.read(second, statement('fine')),
    narrow.read(second, sql`select ${new Date(Number.NaN)}::timestamptz`),
    narrow.read(second, statement('still')),
  ])
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.constructor)),
    [TypeError, [{ said: 'fine' }], RangeError, [{ said: 'still' }]],
  )
})

test('an unreadable column rejects only its own read', async () => {
  const [unsafe, safe] = await Promise.allSettled([
    narrow.read(first, sql`select 9007199254740993::int8 as amount`),
    narrow.read(first, sql`select 9007199254740991::int8 as amount`),
  ])
  assert.ok(unsafe.status === 'rejected' && unsafe.reason instanceof RangeError)
  assert.ok(safe.status === 'fulfilled')
  assert.deepEqual(safe.value, [{ amount: Number.MAX_SAFE_INTEGER }])
})

test('a clinic with an unknown time zone breaks no other read in the same statement', async () => {
  const lost = { clinic_id: 'lost', time_zone: 'Middle/Nowhere' }
  for (let round = 0; round < 3; round++) {
    // A text that is new to the connection: its first sender is the one that fails.
    const statement = sql`select clinic_id from test_note as ${sql.identifier(`note_${round}`)} limit 1`
    const answers = await Promise.allSettled([lost, first, lost, second].map((each) => narrow.read(each, statement)))
    assert.deepEqual(
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.code)),
      ['22023', [{ clinic_id: first.clinic_id }], '22023', [{ clinic_id: second.clinic_id }]],
      `round ${round}`,
    )
  }
})

test('a malformed session is refused', async () => {
  const sessions = [
    { clinic_id: "a'; select 1; --", time_zone: 'UTC' },
    { clinic_id: 'A', time_zone: 'UTC' },
    { clinic_id: '', time_zone: 'UTC' },
    { clinic_id: 'a\n', time_zone: 'UTC' },
    { clinic_id: 'a', time_zone: "UTC'" },
    { clinic_id: 'a', time_zone: '' },
    { clinic_id: 'a', time_zone: 'Asia/Jerusalem\n' },
  ]
  for (const session of sessions) {
    await assert.rejects(db.app.read(session, allNotes), TypeError)
    await assert.rejects(
      db.app.write(session, async () => undefined),
      TypeError,
    )
  }
  for (const hash of [`${'a'.repeat(63)}'`, `${'a'.repeat(64)}'`, `'${'a'.repeat(64)}`])
    await assert.rejects(db.app.readByKeyHash(hash, allNotes), TypeError)
})

test('a read cannot write', async () => {
  const insert = sql`insert into test_note (clinic_id, id) values (${first.clinic_id}, 'x')`
  await assert.rejects(db.app.read(first, insert), (error) => error instanceof DatabaseError && error.code === '25006')
})

test("an instant is printed in the clinic's zone, and a date is its local midnight", async () => {
  const statement = sql`select ${'2026-07-12T06:30:00.123Z'}::timestamptz as at, ${'2026-07-12'}::timestamptz as midnight`
  const zones = ['Asia/Jerusalem', 'America/St_Johns', 'UTC']
  const rows = await Promise.all(zones.map((time_zone) => narrow.read({ clinic_id: 'a', time_zone }, statement)))
  assert.deepEqual(rows.flat(), [
    { at: '2026-07-12 09:30:00.123+03', midnight: '2026-07-12 00:00:00+03' },
    { at: '2026-07-12 04:00:00.123-02:30', midnight: '2026-07-12 00:00:00-02:30' },
    { at: '2026-07-12 06:30:00.123+00', midnight: '2026-07-12 00:00:00+00' },
  ])
})

test('a statement over its time is cancelled, and the reads behind it are answered', async () => {
  const hasty = await openDatabase({
    url: db.appUrl,
    ownerUrl: db.ownerUrl,
    readConnections: 1,
    statementTimeoutMs: 500,
  })
  const [slow, next] = await Promise.allSettled([
    hasty.read(first, sql`select pg_sleep(5)`),
    hasty.read<Note>(second, allNotes),
  ])
  await hasty.close()
  assert.ok(slow.status === 'rejected' && slow.reason instanceof StatementTimeout)
  assert.ok(next.status === 'fulfilled' && next.value.length === 3)
})

test('a prepared statement whose columns a migration changes fails at most once', async () => {
  const statement = sql`select * from test_note where id = 'a'`
  for (let i = 0; i < 3; i++) await narrow.read(first, statement)
  await db.owner.maintain((tx) => tx.script('alter table test_note add column added text'))
  const [during] = await Promise.allSettled([narrow.read(first, statement)])
  assert.ok(during.status === 'fulfilled' || during.reason instanceof DatabaseUnavailable)
  assert.deepEqual(await narrow.read(first, statement), [
    { clinic_id: first.clinic_id, id: 'a', body: `of ${first.clinic_id}`, added: null },
  ])
})

test('each clinic sees its own rows of a mixed append', async () => {
  const rows = clinics.map(({ clinic_id }) => [clinic_id, 'event'])
  assert.equal(await db.app.append(sql`insert into test_audit (clinic_id, id) values ${sql.values(rows)}`), 50)
  const seen = await Promise.all(clinics.map((clinic) => db.app.read(clinic, sql`select clinic_id from test_audit`)))
  assert.deepEqual(
    seen,
    clinics.map(({ clinic_id }) => [{ clinic_id }]),
  )
})

test('only an append that need not be durable does not wait for the disk', async () => {
  for (const options of [{}, { isDurable: true }, { isDurable: false }]) {
    const id = sql`${`${JSON.stringify(options)} `} || current_setting('synchronous_commit')`
    await db.app.append(sql`insert into test_audit (clinic_id, id) values (${first.clinic_id}, ${id})`, options)
  }
  const seen = await db.app.read<{ id: string }>(first, sql`select id from test_audit where id like '{%' order by id`)
  assert.deepEqual(
    seen.map(({ id }) => id),
    ['{"isDurable":false} off', '{"isDurable":true} on', '{} on'],
  )
})

test('a database with another encoding than UTF8 is refused', {
  skip: process.env.TEST_DATABASE_URL ? 'it makes a database of its own' : false,
}, async () => {
  await db.owner.query(sql`create database ascii encoding 'SQL_ASCII' template template0 locale 'C'`)
  const url = new URL(db.ownerUrl)
  url.pathname = '/ascii'
  await assert.rejects(openDatabase({ url: url.href }), /must be UTF8, it is SQL_ASCII/)
})

test('a standby is refused on a Citus cluster', async (t) => {
  const { rows } = await db.owner.query(sql`select from pg_extension where extname = 'citus'`)
  if (rows.length === 0) return t.skip('this is no Citus cluster')
  const { appUrl: url, ownerUrl } = db
  await assert.rejects(openDatabase({ url, ownerUrl, replicaUrl: url }), /DATABASE_REPLICA_URL is not for Citus/)
})

test('a url cannot carry options that would replace ours', async () => {
  await assert.rejects(openDatabase({ url: `${db.appUrl}?options=-c%20role%3Dpostgres` }), /must not carry "options"/)
})

test('an error about a value does not quote it, in a read or a write', async () => {
  const canary = 'canary 050-1234567'
  const cannotBeUsed = [
    sql`select ${canary}::integer as value`,
    sql`select ${canary}::timestamptz as value`,
    sql`select ${canary}::jsonb as value`,
  ]
  for (const statement of cannotBeUsed)
    for (const ask of [() => narrow.read(first, statement), () => narrow.write(first, (tx) => tx.query(statement))])
      await assert.rejects(ask, (error: Error) => {
        assert.ok(error instanceof DatabaseError && /^22/.test(error.code ?? ''), String(error))
        assert.doesNotMatch(`${error.message} ${error.stack}`, /canary/)
        return true
      })
})
