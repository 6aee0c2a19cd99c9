// Packets of reads on one connection that many share, in the form for one server and in the form for a cluster.

import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { startTcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { keyHashSettings, type Settings } from '../src/connections/clinic-session.ts'
import { connector } from '../src/connections/connect.ts'
import { DatabaseUnavailable, StatementTimeout } from '../src/connections/database-failure.ts'
import { SharedConnection } from '../src/connections/shared-connection.ts'
import { type Statement, sql } from '../src/database.ts'
import { openTestDatabase, type TestDatabase } from './embedded.ts'

let db: TestDatabase

before(async () => {
  db = await openTestDatabase()
})

after(() => db?.close())

const forms = { 'one server': false, 'a cluster': true }

function shared(t: TestContext, isCluster: boolean, { url = db.appUrl, statementTimeoutMs = 20_000 } = {}) {
  const connection = new SharedConnection(connector({ url, statementTimeoutMs, onError: () => undefined }))
  t.after(() => connection.close())
  return {
    read: async (statement: Statement, settings: Settings = { 'app.clinic_id': 'a' }) =>
      (await connection.readUnder({ settings, isCluster }, statement.render())).rows,
    execute: (statement: Statement) => connection.execute(statement.render()),
  }
}

type Shared = ReturnType<typeof shared>

const seen = sql`select current_setting('app.clinic_id', true) as clinic, current_setting('transaction_read_only') as read_only`

const fails = (value: number) => sql`select 1 / ${value}::int as value`

/** Runs the test with each form of a read. */
function withEachForm(name: string, run: (t: TestContext, isCluster: boolean) => Promise<void>): void {
  test(name, async (t) => {
    for (const [form, isCluster] of Object.entries(forms)) await t.test(form, (t) => run(t, isCluster))
  })
}

withEachForm('settings end with their read, also when it fails', async (t, isCluster) => {
  const { read, execute } = shared(t, isCluster)
  const answers = await Promise.allSettled([read(seen), execute(seen), read(fails(0)), execute(seen)])
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.code)),
    [
      [{ clinic: 'a', read_only: 'on' }],
      { rows: [{ clinic: '', read_only: 'off' }], rowCount: 1 },
      '22012',
      { rows: [{ clinic: '', read_only: 'off' }], rowCount: 1 },
    ],
  )
})

withEachForm('a statement that may not write cannot allow itself to', async (t, isCluster) => {
  const { read } = shared(t, isCluster)
  await assert.rejects(read(sql`select set_config('transaction_read_only', 'off', true)`), { code: '25001' })
})

test('a read whose settings are refused does not run', async (t) => {
  const { read, execute } = shared(t, false)
  // A lock of the session outlives a transaction that is rolled back.
  const lock = sql`select pg_try_advisory_lock(${5142})`
  const held = sql`select count(*) as held from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`
  // A name that is new to the connection, and one that it has prepared.
  for (let round = 0; round < 2; round++) {
    await assert.rejects(read(lock, { timezone: 'Middle/Nowhere' }), { code: '22023' })
    assert.deepEqual((await execute(held)).rows, [{ held: 0 }])
    await read(lock, { timezone: 'UTC' })
    assert.deepEqual((await execute(held)).rows, [{ held: 1 }])
    await execute(sql`select pg_advisory_unlock_all()`)
  }
})

withEachForm('a statement that failed is answered when it is asked again', async (t, isCluster) => {
  const { read } = shared(t, isCluster)
  for (const value of [0, 1, 0, 1]) {
    if (value === 0) await assert.rejects(read(fails(0)), { code: '22012' })
    else assert.deepEqual(await read(fails(1)), [{ value: 1 }])
  }
})

withEachForm('between failed reads of others each read is of its own clinic', async (t, isCluster) => {
  const { read } = shared(t, isCluster)
  const clinics = Array.from({ length: 40 }, (_, i) => `clinic-${i}`)
  const answers = await Promise.allSettled(
    clinics.map((clinic, i) => read(i % 2 === 0 ? seen : fails(0), { 'app.clinic_id': clinic })),
  )
  answers.forEach((answer, i) => {
    if (i % 2 === 0) assert.deepEqual(answer, { status: 'fulfilled', value: [{ clinic: clinics[i], read_only: 'on' }] })
    else assert.ok(answer.status === 'rejected' && answer.reason.code === '22012')
  })
})

withEachForm('a cancelled statement fails alone', async (t, isCluster) => {
  const { read, execute } = shared(t, isCluster)
  const { rows } = await execute(sql`select pg_backend_pid() as pid`)
  const slow = sql`select pg_sleep(60) as ${sql.identifier(`cancelled_${isCluster}`)}`
  const answers = Promise.allSettled([read(slow), read(seen)])
  const cancel = sql`select pg_cancel_backend(pid) from pg_stat_activity
    where pid = ${rows[0]?.pid as number} and query = ${slow.render().text} and state = 'active'`
  while ((await db.owner.query(cancel)).rowCount === 0);
  const [cancelled, next] = await answers
  assert.ok(cancelled.status === 'rejected' && cancelled.reason instanceof StatementTimeout)
  assert.deepEqual(next, { status: 'fulfilled', value: [{ clinic: 'a', read_only: 'on' }] })
})

withEachForm('each statement has the whole time, though many wait on the connection', async (t, isCluster) => {
  const { read } = shared(t, isCluster, { statementTimeoutMs: 1_500 })
  const slow = Array.from({ length: 4 }, () => read(sql`select pg_sleep(0.5)`))
  assert.equal((await Promise.all(slow)).length, 4)
})

withEachForm('a connection cut at any byte answers each clinic its own or nothing', async (t, isCluster) => {
  const proxy = await startTcpProxy(db.appUrl)
  t.after(() => proxy.close())
  const ask = ({ read }: Shared) =>
    Promise.allSettled(['a', 'b'].map((clinic) => read(seen, { 'app.clinic_id': clinic, timezone: 'UTC' })))
  const open = shared(t, isCluster, { url: proxy.url })
  // The first packets carry the texts too.
  await ask(open)
  const before = proxy.received()
  await ask(open)
  const bytes = proxy.received() - before
  for (let at = 1; at < bytes; at += 13) {
    await ask(open)
    proxy.passOnly(at)
    const answers = await ask(open)
    answers.forEach((answer, i) => {
      if (answer.status === 'rejected') assert.ok(answer.reason instanceof DatabaseUnavailable)
      else assert.deepEqual(answer.value, [{ clinic: 'ab'[i], read_only: 'on' }])
    })
    assert.equal(answers[1]?.status, 'rejected', `cut at ${at}`)
    proxy.restore()
  }
})

test('a prepared statement is never read by the columns that it had', async (t) => {
  const { read } = shared(t, false)
  const alter = (script: string) => db.owner.maintain((tx) => tx.script(script))
  await alter("drop table if exists test_shape; create table test_shape as select '1' as id, 'first' as body")
  await alter('grant select on test_shape to clinic_data_app')
  t.after(() => alter('drop table test_shape'))
  const statement = sql`select * from test_shape`
  const changes = {
    'alter table test_shape rename body to said': { id: '1', said: 'first' },
    'alter table test_shape alter said type bytea using said::bytea': { id: '1', said: Buffer.from('first') },
    'alter table test_shape drop said': { id: '1' },
    'alter table test_shape add body text': { id: '1', body: null },
  }
  for (let use = 0; use < 3; use++) await read(statement)
  for (const [change, row] of Object.entries(changes)) {
    await alter(change)
    const [during] = await Promise.allSettled([read(statement)])
    if (during.status === 'fulfilled') assert.deepEqual(during.value, [row], change)
    else assert.ok(during.reason instanceof DatabaseUnavailable, change)
    for (let use = 0; use < 3; use++) assert.deepEqual(await read(statement), [row], change)
  }
})

test('an append tells how many rows it wrote, each time', async (t) => {
  const { execute } = shared(t, false, { url: db.ownerUrl })
  const append = (ids: string[]) =>
    execute(sql`insert into test_audit (clinic_id, id) select ${'a'}, id from unnest(${ids}::text[]) as input (id)`)
  const counts = [await append(['1']), await append(['2', '3']), await append([])].map(({ rowCount }) => rowCount)
  assert.deepEqual(counts, [1, 2, 0])
})

test('the settings of one kind of read open nothing to another', async (t) => {
  const { read } = shared(t, false)
  const hash = '1'.repeat(64)
  const [ofKey, ofClinic] = await Promise.all([read(seen, keyHashSettings(hash)), read(seen)])
  assert.deepEqual([ofKey, ofClinic].flat(), [
    { clinic: '', read_only: 'on' },
    { clinic: 'a', read_only: 'on' },
  ])
})
