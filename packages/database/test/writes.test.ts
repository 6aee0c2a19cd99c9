// Transactions that write.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { DatabaseError, DatabaseUnavailable, openDatabase, sql, TransactionTimeout } from '../src/database.ts'
import { openTestDatabase, type TestDatabase } from './embedded.ts'

const clinic = { clinic_id: 'writer', time_zone: 'Asia/Jerusalem' }
const other = { clinic_id: 'other', time_zone: 'UTC' }

let db: TestDatabase

before(async () => {
  db = await openTestDatabase()
})

beforeEach(() => db.owner.maintain((tx) => tx.script('truncate test_note')))

after(() => db?.close())

const note = (id: string, body: string | null = null) =>
  sql`insert into test_note (clinic_id, id, body) values (${clinic.clinic_id}, ${id}, ${body})`

async function storedIds(): Promise<unknown[]> {
  const { rows } = await db.owner.query<{ id: string }>(sql`select id from test_note order by id`)
  return rows.map(({ id }) => id)
}

test("a resolved transaction is stored and returns its work's result", async () => {
  const result = await db.app.write(clinic, async (tx) => {
    const { rows, rowCount } = await tx.query<{ id: string }>(sql`${note('a')} returning id`)
    return { rows, rowCount }
  })
  assert.deepEqual(result, { rows: [{ id: 'a' }], rowCount: 1 })
  assert.deepEqual(await storedIds(), ['a'])
})

test('a parameter that cannot be serialized in the second write leaves no row', async () => {
  const write = db.app.write(clinic, async (tx) => {
    await tx.query(note('a'))
    await tx.query(note('b', '\ud800'))
  })
  await assert.rejects(write, TypeError)
  assert.deepEqual(await storedIds(), [])
})

test('work that continues after a failed statement is rejected and leaves no row', async () => {
  const write = db.app.write(clinic, async (tx) => {
    await tx.query(note('a'))
    await tx.query(note('a')).catch(() => undefined)
  })
  await assert.rejects(write, /rolled back/)
  assert.deepEqual(await storedIds(), [])
})

test('an error thrown by the work reaches the caller unchanged and leaves no row', async () => {
  const refusal = new Error('not this one')
  const write = db.app.write(clinic, async (tx) => {
    await tx.query(note('a'))
    throw refusal
  })
  await assert.rejects(write, (error) => error === refusal)
  assert.deepEqual(await storedIds(), [])
})

test("the server's own error reaches the caller, and the connection is used again", async () => {
  const single = await openDatabase({ url: db.appUrl, ownerUrl: db.ownerUrl, writeConnections: 1 })
  const twice = single.write(clinic, async (tx) => {
    await tx.query(note('a'))
    await tx.query(note('a'))
  })
  await assert.rejects(twice, (error) => error instanceof DatabaseError && error.code === '23505')
  await single.write(clinic, (tx) => tx.query(note('b')))
  await single.close()
  assert.deepEqual(await storedIds(), ['b'])
})

test('a statement that was not awaited stores no row', async () => {
  const write = db.app.write(clinic, async (tx) => {
    await tx.query(note('a'))
    tx.query(note('b')).catch(() => undefined)
  })
  await assert.rejects(write, /was not awaited/)
  assert.deepEqual(await storedIds(), [])
})

test('two simultaneous statements are refused and leave no row', async () => {
  const write = db.app.write(clinic, (tx) => Promise.all([tx.query(note('a')), tx.query(note('b'))]))
  await assert.rejects(write, /one by one/)
  assert.deepEqual(await storedIds(), [])
})

test('a statement after the end is refused', async () => {
  const leaked = await db.app.write(clinic, async (tx) => tx)
  await assert.rejects(leaked.query(note('a')), /is over/)
})

test("a transaction can neither write nor change another clinic's row", async () => {
  await db.app.write(clinic, (tx) => tx.query(note('a')))
  await assert.rejects(
    db.app.write(other, (tx) => tx.query(note('b'))),
    (error) => error instanceof DatabaseError && error.code === '42501',
  )
  const touched = await db.app.write(other, async (tx) => {
    const update = await tx.query(sql`update test_note set body = ${'x'} where clinic_id = ${clinic.clinic_id}`)
    const deletion = await tx.query(sql`delete from test_note where clinic_id = ${clinic.clinic_id}`)
    return update.rowCount + deletion.rowCount
  })
  assert.equal(touched, 0)
  assert.deepEqual(await storedIds(), ['a'])
})

test('interleaved transactions of two clinics on fewer connections keep to their own', async () => {
  const narrow = await openDatabase({ url: db.appUrl, ownerUrl: db.ownerUrl, writeConnections: 2 })
  const sessions = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? clinic : other))
  const seen = await Promise.all(
    sessions.map((session, i) =>
      narrow.write(session, async (tx) => {
        await tx.query(sql`insert into test_note (clinic_id, id) values (${session.clinic_id}, ${`n${i}`})`)
        const { rows } = await tx.query<{ clinic_id: string }>(sql`select distinct clinic_id from test_note`)
        return rows
      }),
    ),
  )
  await narrow.close()
  assert.deepEqual(
    seen,
    sessions.map(({ clinic_id }) => [{ clinic_id }]),
  )
  assert.equal((await storedIds()).length, 40)
})

test('a transaction over its time is rejected, leaves no row, and returns its connection', async () => {
  const single = await openDatabase({ url: db.appUrl, ownerUrl: db.ownerUrl, writeConnections: 1 })
  const { promise: never } = Promise.withResolvers<never>()
  const write = single.write(
    clinic,
    async (tx) => {
      await tx.query(note('a'))
      await never
    },
    { timeoutMs: 500 },
  )
  await assert.rejects(write, TransactionTimeout)
  await single.write(clinic, (tx) => tx.query(note('b')))
  await single.close()
  assert.deepEqual(await storedIds(), ['b'])
})

test('too long a wait for a connection is an error, and the next caller is served', async () => {
  const single = await openDatabase({ url: db.appUrl, ownerUrl: db.ownerUrl, writeConnections: 1 })
  const held = Promise.withResolvers<void>()
  const holder = single.write(clinic, () => held.promise)
  await assert.rejects(
    single.write(clinic, async () => undefined, { timeoutMs: 50 }),
    DatabaseUnavailable,
  )
  const patient = single.write(clinic, (tx) => tx.query(note('a')))
  held.resolve()
  await Promise.all([holder, patient])
  await single.close()
  assert.deepEqual(await storedIds(), ['a'])
})

test('closing waits for the work under way and accepts nothing new', async () => {
  const closing = await openDatabase({ url: db.appUrl, ownerUrl: db.ownerUrl })
  const held = Promise.withResolvers<void>()
  const write = closing.write(clinic, async (tx) => {
    await held.promise
    await tx.query(note('a'))
  })
  const closed = closing.close()
  await assert.rejects(closing.read(clinic, sql`select 1`), DatabaseUnavailable)
  held.resolve()
  await Promise.all([write, closed])
  assert.deepEqual(await storedIds(), ['a'])
})

test('maintenance is one transaction without a clinic', async () => {
  const failing = db.owner.maintain(async (tx) => {
    await tx.script(
      "insert into test_note (clinic_id, id) values ('x', '1'); insert into test_note (clinic_id, id) values ('y', '1')",
    )
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  assert.deepEqual(await storedIds(), [])
})

test('a clinic that uses every connection it may have leaves one to others, and they take turns', async () => {
  const narrow = await openDatabase({ url: db.appUrl, ownerUrl: db.ownerUrl, writeConnections: 3 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const reached = new Map<string, () => void>()
  const write = (session: typeof clinic, name: string) =>
    narrow.write(session, async () => {
      begun.push(name)
      reached.get(name)?.()
      await new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const hasBegun = (name: string) =>
    begun.includes(name) ? Promise.resolve() : new Promise<void>((resolve) => reached.set(name, resolve))
  const busy = Array.from({ length: 20 }, (_, i) => write(clinic, `busy ${i}`))
  await Promise.all([hasBegun('busy 0'), hasBegun('busy 1')])
  const quiet = [write(other, 'quiet 0'), write(other, 'quiet 1')]
  await hasBegun('quiet 0')
  assert.deepEqual(begun, ['busy 0', 'busy 1', 'quiet 0'])
  ends.get('busy 0')?.()
  await hasBegun('busy 2')
  ends.get('quiet 0')?.()
  await hasBegun('quiet 1')
  assert.deepEqual(begun.slice(3), ['busy 2', 'quiet 1'])
  for (const [i, running] of [...quiet, ...busy].entries()) {
    const name = i < 2 ? `quiet ${i}` : `busy ${i - 2}`
    await hasBegun(name)
    ends.get(name)?.()
    await running
  }
  await narrow.close()
})
