// Reads that scan much: few at a time, limited in time, without blocking other reads.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sized } from '@clinic-data/testing/run/size'
import { DatabaseError, DatabaseUnavailable, openDatabase, StatementTimeout, sql } from '../src/database.ts'
import { openTestDatabase, type TestDatabase } from './embedded.ts'

const clinic = { clinic_id: 'clinic-a', time_zone: 'Asia/Jerusalem' }
const PATIENCE_MS = 8_000

let db: TestDatabase
let single: Awaited<ReturnType<typeof openDatabase>>

before(async () => {
  db = await openTestDatabase()
  single = await openDatabase({ url: db.appUrl, ownerUrl: db.ownerUrl, readConnections: 1, scanConnections: 1 })
  await db.owner.query(sql`insert into test_note (clinic_id, id, body) values
    ('clinic-a', 'a', 'ours'), ('clinic-b', 'b', 'theirs')`)
})

after(async () => {
  await single?.close()
  await db?.close()
})

test("a scan sees only its own clinic, in the clinic's zone, and can only read", async () => {
  const notes = sql`select body, current_setting('timezone') as zone from test_note`
  const { rows } = await single.scan(clinic, notes, PATIENCE_MS)
  assert.deepEqual(rows, [{ body: 'ours', zone: clinic.time_zone }])
  await assert.rejects(single.scan(clinic, sql`delete from test_note`, PATIENCE_MS), DatabaseError)
  assert.equal((await single.scan(clinic, notes, PATIENCE_MS)).rows.length, 1)
})

test('the server cancels a scan over five seconds', async () => {
  const { rows } = await single.scan(clinic, sql`select current_setting('statement_timeout') as most`, PATIENCE_MS)
  assert.deepEqual(rows, [{ most: '5s' }])
})

// It waits for that time.
const onlyLong = sized({ everyday: { skip: 'in the long run' }, long: {} })

test('a scan over five seconds is cancelled, and the connection serves the next', onlyLong, async () => {
  await assert.rejects(single.scan(clinic, sql`select pg_sleep(30)`, PATIENCE_MS), StatementTimeout)
  assert.deepEqual((await single.scan(clinic, sql`select 1 as one`, PATIENCE_MS)).rows, [{ one: 1 }])
})

test('scans wait for their turn, other reads do not wait for them, and too long a wait is an error', async () => {
  const order: string[] = []
  const note = (name: string) => () => order.push(name)
  // Its connection is open, so the order tells of waiting alone.
  await single.read(clinic, sql`select 1`)
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const holding = db.owner.maintain(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(51, 51)`)
    locked()
    await mayEnd
  })
  await isLocked
  const long = single.scan(clinic, sql`select pg_advisory_xact_lock_shared(51, 51)`, PATIENCE_MS)
  const first = long.then(note('first scan'))
  const late = assert.rejects(single.scan(clinic, sql`select 1`, 50), DatabaseUnavailable).then(note('gave up'))
  const next = single.scan(clinic, sql`select 1`, PATIENCE_MS).then(note('next scan'))
  const read = single.read(clinic, sql`select 1`).then(note('read'))
  await Promise.all([late, read])
  end()
  await Promise.all([holding, first, next])
  assert.deepEqual(order.slice(0, 2).sort(), ['gave up', 'read'])
  assert.deepEqual(order.slice(2), ['first scan', 'next scan'])
})

test("a new clinic's scan does not wait for all scans of another clinic", async () => {
  const order: string[] = []
  const note = (name: string) => () => order.push(name)
  const quiet = { clinic_id: 'clinic-b', time_zone: 'UTC' }
  const one = sql`select 1`
  const busy = Array.from({ length: 20 }, (_, i) => single.scan(clinic, one, PATIENCE_MS).then(note(`busy ${i}`)))
  await Promise.all([...busy, single.scan(quiet, one, PATIENCE_MS).then(note('quiet'))])
  assert.equal(order.indexOf('quiet'), 2)
})
