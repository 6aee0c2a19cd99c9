// Statements that leave together: whatever fails in between, a transaction is stored whole or not at all.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTcpProxy, type TcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { connector } from '../src/connections/connect.ts'
import { sendPacket } from '../src/connections/packet.ts'
import {
  type ClinicSession,
  type Database,
  DatabaseError,
  DatabaseUnavailable,
  openDatabase,
  type Statement,
  sql,
  utcSession,
  type WriteOptions,
} from '../src/database.ts'
import { openTestDatabase, type TestDatabase } from './embedded.ts'

const clinic = { clinic_id: 'packer', time_zone: 'Asia/Jerusalem' }

let db: TestDatabase
let proxy: TcpProxy
/** With one connection, which goes through the proxy. */
let single: Database

before(async () => {
  db = await openTestDatabase()
  proxy = await startTcpProxy(db.appUrl)
  single = await openDatabase({ url: proxy.url, ownerUrl: db.ownerUrl, writeConnections: 1 })
})

beforeEach(() => db.owner.maintain((tx) => tx.script('truncate test_note')))

after(async () => {
  await single?.close()
  await proxy?.close()
  await db?.close()
})

const note = (id: string, body: string | null = null) =>
  sql`insert into test_note (clinic_id, id, body) values (${clinic.clinic_id}, ${id}, ${body})`

async function storedIds(): Promise<unknown[]> {
  const { rows } = await db.owner.query<{ id: string }>(sql`select id from test_note order by id`)
  return rows.map(({ id }) => id)
}

const isDuplicate = (error: unknown) => error instanceof DatabaseError && error.code === '23505'

test('a statement that is kept prepared is read by its columns at every use, also twice in a packet', async () => {
  const pair = (left: string, right: number) =>
    sql`select ${left}::text as left_one, ${right}::int as right_one, null::text as none`
  const row = (left: string, right: number) => ({ left_one: left, right_one: right, none: null })
  for (let use = 0; use < 3; use++) {
    const rows = await single.write(clinic, async (tx) => {
      const first = tx.send(pair('a', use))
      const second = tx.send(pair('b', use + 1))
      const third = await tx.query(pair('c', use + 2))
      return [first(), second(), third].flatMap((answer) => answer.rows)
    })
    assert.deepEqual(rows, [row('a', use), row('b', use + 1), row('c', use + 2)])
  }
})

test('each transaction has its own settings, and nothing of the one before', async () => {
  const settings = sql`select current_setting('app.clinic_id') as clinic_id, current_setting('timezone') as time_zone,
    current_setting('synchronous_commit') as awaited, current_setting('plan_cache_mode') as plans`
  const under = (own: ClinicSession, options?: WriteOptions) =>
    single.write(own, async (tx) => (await tx.query(settings)).rows[0], options)
  const utc = utcSession('other')
  // A cluster refuses such plans.
  const planned = single.isCluster ? 'auto' : 'force_generic_plan'
  const expected = (own: ClinicSession, awaited: string, plans: string) => ({ ...own, awaited, plans })
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(await under(clinic), expected(clinic, 'on', 'auto'))
    assert.deepEqual(await under(utc, { isDurable: false, plansOnce: true }), expected(utc, 'off', planned))
  }
})

test('statements leave in the order of their calls, and each has its own answer', async () => {
  const answers = await single.write(clinic, async (tx) => {
    const first = tx.send<{ id: string }>(sql`${note('a')} returning id`)
    const second = tx.send(sql`update test_note set body = ${'x'} where clinic_id = ${clinic.clinic_id}`)
    const { rows } = await tx.query(sql`select id, body from test_note`)
    tx.send(note('b'))
    return [first(), second(), rows]
  })
  assert.deepEqual(answers, [{ rows: [{ id: 'a' }], rowCount: 1 }, { rows: [], rowCount: 1 }, [{ id: 'a', body: 'x' }]])
  assert.deepEqual(await storedIds(), ['a', 'b'])
})

test('the answer of a statement that was not sent yet is an error', async () => {
  const write = single.write(clinic, async (tx) => tx.send(note('a'))())
  await assert.rejects(write, /not sent yet/)
  assert.deepEqual(await storedIds(), [])
})

test('a failing statement in the middle fails the awaited one and leaves no row', async () => {
  const write = single.write(clinic, async (tx) => {
    tx.send(note('a'))
    tx.send(note('a'))
    tx.send(note('b'))
    await tx.query(note('c'))
  })
  await assert.rejects(write, isDuplicate)
  assert.deepEqual(await storedIds(), [])
})

test('a failing statement that leaves with the commit fails the transaction and leaves no row', async () => {
  for (const last of ['a', 'b']) {
    const write = single.write(clinic, async (tx) => {
      await tx.query(note('a'))
      tx.send(note('b'))
      tx.send(note(last))
    })
    await assert.rejects(write, isDuplicate)
    assert.deepEqual(await storedIds(), [])
  }
})

test('a value that has no text fails where it is given, and nothing of its packet is sent', async () => {
  const write = single.write(clinic, async (tx) => {
    await tx.query(sql`select 1`)
    const before = proxy.received()
    tx.send(note('a'))
    assert.throws(() => tx.send(note('b', '\ud800')), TypeError)
    assert.equal(proxy.received(), before)
    await tx.query(note('c', '\ud800'))
  })
  await assert.rejects(write, TypeError)
  assert.deepEqual(await storedIds(), [])
})

test('a statement that was refused, because another was under way, is never sent', async () => {
  const write = single.write(clinic, async (tx) => {
    const first = tx.query(note('a'))
    await assert.rejects(tx.query(note('b')), /one by one/)
    await first
  })
  await write
  assert.deepEqual(await storedIds(), ['a'])
})

test('after a failed packet nothing more is sent, though the work goes on', async () => {
  let sent = Number.NaN
  const write = single.write(clinic, async (tx) => {
    tx.send(note('a'))
    await tx.query(note('a')).catch(() => undefined)
    const before = proxy.received()
    await tx.query(note('b')).catch(() => undefined)
    tx.send(note('c'))
    sent = proxy.received() - before
  })
  await assert.rejects(write, /rolled back/)
  assert.equal(sent, 0)
  assert.deepEqual(await storedIds(), [])
})

test('a packet without a transaction runs nothing behind a failed statement, so a refused begin lets nothing through', async (t) => {
  // The owner: a cluster does not take a setting of a whole session to its workers.
  const connect = connector({ url: db.ownerUrl, statementTimeoutMs: 0, onError: () => undefined })
  const client = await connect({ pipeline: false })
  t.after(() => client.end())
  const packet = (...statements: Statement[]) =>
    sendPacket(
      client,
      statements.map((statement) => statement.render()),
    )
  await packet(sql`select set_config('app.clinic_id', ${clinic.clinic_id}, false)`)
  await assert.rejects(packet(sql`select 1 / ${0}::integer`, note('a'), sql`commit`, note('b')), /division by zero/)
  assert.deepEqual(await storedIds(), [])
  await packet(note('a'))
  assert.deepEqual(await storedIds(), ['a'])
})

test('a statement whose first use failed is prepared anew on the same connection', async () => {
  const divided = (by: number) => sql`select 12 / ${by}::integer as quotient`
  await assert.rejects(
    single.write(clinic, (tx) => tx.query(divided(0))),
    /division by zero/,
  )
  const { rows } = await single.write(clinic, (tx) => tx.query(divided(3)))
  assert.deepEqual(rows, [{ quotient: 4 }])
  // The server skipped it: the statement before it in its packet failed.
  const behind = sql`select 5 as behind_a_failed_one`
  const failing = single.write(clinic, async (tx) => {
    tx.send(divided(0))
    await tx.query(behind)
  })
  await assert.rejects(failing, /division by zero/)
  assert.equal((await single.write(clinic, (tx) => tx.query(behind))).rows.length, 1)
})

test('a connection cut at any byte of the last packet leaves both rows or none, and the caller is told', async () => {
  const done: number[] = []
  // The packet has about 400 bytes. Its end, with the commit, is cut more finely.
  for (let passed = 0; done.length === 0; passed += passed < 300 ? 29 : 4) {
    const write = single.write(clinic, async (tx) => {
      await tx.query(sql`select 1`)
      proxy.passOnly(passed)
      tx.send(note(`${passed}`))
      tx.send(note(`${passed} too`))
    })
    await write.then(
      () => done.push(passed),
      (error) => assert.ok(error instanceof DatabaseUnavailable, `${passed} bytes: ${error}`),
    )
    proxy.restore()
  }
  // Waits for the server's end of the broken connections.
  await db.owner.maintain((tx) => tx.script('lock table test_note in access exclusive mode'))
  const ids = new Set(await storedIds())
  const other = (id: unknown) => (`${id}`.endsWith(' too') ? `${id}`.replace(' too', '') : `${id} too`)
  const halves = [...ids].filter((id) => !ids.has(other(id)))
  assert.deepEqual(halves, [])
  assert.ok(ids.has(`${done[0]} too`) && !ids.has('0') && !ids.has('29 too'), [...ids].join())
})

test('a transaction whose check fails stores nothing, also if no statement of it is awaited', async () => {
  const refuse = () => assert.fail('refused')
  for (const isAwaited of [true, false]) {
    const written = single.write(clinic, async (tx) => {
      tx.require(sql`select 1 as one`, refuse)
      tx.send(note('a'))
      if (isAwaited) await tx.query(note('b')).catch(() => undefined)
    })
    await assert.rejects(written, isAwaited ? /rolled back/ : /refused/)
    const { rows } = await db.owner.query(sql`select id from test_note`)
    assert.deepEqual(rows, [])
  }
})
