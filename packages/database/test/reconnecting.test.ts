// Broken connections to the database.

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { connector } from '../src/connections/connect.ts'
import { ConnectionPool } from '../src/connections/connection-pool.ts'
import { SharedConnection } from '../src/connections/shared-connection.ts'
import { runTransaction } from '../src/connections/transaction.ts'
import {
  type Database,
  DatabaseUnavailable,
  openDatabase,
  type Statement,
  sql,
  type Transaction,
} from '../src/database.ts'
import { openTestDatabase, type TestDatabase } from './embedded.ts'

const clinic = { clinic_id: 'a', time_zone: 'UTC' }

/** A statement that runs until it is ended. After a broken connection it continues at the server, so each test uses its own. */
const sleepy = (test: string) => sql.join([sql`select pg_sleep(60) as`, sql.identifier(test)], sql` `)

let db: TestDatabase
let proxy: TcpProxy
let app: Database
/** Emits `told` for each connection that broke while idle. */
const broken = new EventEmitter()

before(async () => {
  db = await openTestDatabase()
  proxy = await startTcpProxy(db.appUrl)
  app = await openDatabase({
    ...proxied(),
    readConnections: 2,
    onError: () => broken.emit('told'),
  })
})

after(async () => {
  await app?.close()
  await proxy?.close()
  await db?.close()
})

/** Both logins through the proxy. */
function proxied(): { url: string; ownerUrl: string } {
  const owner = new URL(db.ownerUrl)
  owner.host = new URL(proxy.url).host
  return { url: proxy.url, ownerUrl: owner.href }
}

/** Every kind of use that the application makes of a database. */
const uses: Record<string, () => Promise<unknown>> = {
  read: () => app.read(clinic, sql`select 1`),
  write: () => app.write(clinic, (tx) => tx.query(sql`select 1`)),
  append: () => app.append(sql`select 1`),
  query: () => app.query(sql`select 1`),
  requireWritable: () => app.requireWritable(),
}

test('a lost server is an unavailable database to every use, and its return needs no restart', async () => {
  const all = () => Promise.allSettled(Object.values(uses).map((use) => use()))
  for (let round = 0; round < 2; round++) {
    assert.ok((await all()).every(({ status }) => status === 'fulfilled'))
    proxy.cut()
    for (const outcome of await all()) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailable)
    }
    proxy.restore()
  }
  assert.ok((await all()).every(({ status }) => status === 'fulfilled'))
})

test('a server that lacks room on its disk, memory or an answer of its disk is an unavailable database', async () => {
  for (const code of ['53100', '53200', '58030']) {
    const failing = app.write(clinic, async (tx) => {
      await tx.query(sql`select set_config('app.code', ${code}, true)`)
      await tx.query(sql`do $$ begin raise using errcode = current_setting('app.code'); end $$`)
    })
    await assert.rejects(failing, DatabaseUnavailable, code)
    await assert.rejects(app.requireWritable(), /nothing could be written/, code)
    await app.append(sql`select 1`)
    await assert.rejects(app.requireWritable(), /nothing could be written/, 'a batch says nothing about the rest')
    await app.write(clinic, (tx) => tx.query(sql`select 1`))
    await app.requireWritable()
  }
})

test('all work under way on a broken connection is rejected as unavailable', async () => {
  const statement = sleepy('cut')
  const pending = [
    ...Array.from({ length: 10 }, () => app.read(clinic, statement)),
    app.write(clinic, (tx) => tx.query(statement)),
    app.append(statement),
    app.query(statement),
  ]
  const outcomes = Promise.allSettled(pending)
  await running(statement, 5)
  proxy.cut()
  for (const outcome of await outcomes) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailable)
  }
  proxy.restore()
  await app.query(sql`select 1`)
})

test('a connection that the server ends is reported once as an unavailable database', async () => {
  const statement = sleepy('terminated')
  const reading = app.read(clinic, statement)
  const writing = app.write(clinic, (tx) => tx.query(statement))
  const outcomes = Promise.allSettled([reading, writing])
  await running(statement, 2)
  await db.owner.query(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query = ${statement.render().text}`,
  )
  for (const outcome of await outcomes) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailable)
  }
  for (const use of Object.values(uses)) await use()
})

test('broken idle connections are reported and replaced', async () => {
  const own = sql`select pg_backend_pid() as pid`
  const pids = [...(await app.read<{ pid: number }>(clinic, own)), ...(await app.query<{ pid: number }>(own)).rows]
  let missing = pids.length
  const reported = new Promise<void>((resolve) => broken.on('told', () => --missing === 0 && resolve()))
  await db.owner.query(sql`select pg_terminate_backend(pid) from unnest(${pids.map(({ pid }) => pid)}::int[]) as pid`)
  await reported
  for (const use of Object.values(uses)) await use()
})

test('a server that takes no more writes is unavailable to them, and the next ones get new connections', async () => {
  const single = await openDatabase({ ...proxied(), writeConnections: 1 })
  const note = sql`insert into test_note (clinic_id, id) values ('a', 'n') on conflict do nothing`
  const audit = sql`insert into test_audit (clinic_id, id) values ('a', 'n') on conflict do nothing`
  const demote = sql`set default_transaction_read_only = on`
  const [write, append] = [() => single.write(clinic, (tx) => tx.query(note)), () => single.append(audit)]
  await single.query(demote)
  await single.append(demote)
  for (const use of [write, append]) {
    await assert.rejects(use(), DatabaseUnavailable)
    await use()
  }
  await single.close()
})

const sockets = '/proc/net/tcp'

test('idle connections ask every ten seconds whether the other machine is still there', {
  skip: existsSync(sockets) ? false : 'only Linux tells the timers of sockets',
}, async () => {
  await app.query(sql`select 1`)
  const port = Number(new URL(proxy.url).port).toString(16).toUpperCase().padStart(4, '0')
  // Local address, remote address, state (01: established), queues, timer (02: keepalive) and the time left in hundredths of a second.
  const [, left = ''] =
    new RegExp(`^ *\\d+: \\S+ \\w+:${port} 01 \\S+ 02:(\\w+)`, 'm').exec(readFileSync(sockets, 'utf8')) ?? []
  assert.ok(Number.parseInt(left, 16) <= 1_000, left)
})

test('a server that falls silent is given up', async () => {
  const silent = await startTcpProxy(db.appUrl)
  const connect = connector({ url: silent.url, statementTimeoutMs: 0, onError: () => undefined })
  const shared = new SharedConnection(connect)
  const statement = sql`select 1`.render()
  await shared.execute(statement)
  silent.swallow()
  const unanswered = assert.rejects(shared.execute(statement), DatabaseUnavailable)
  for (let interval = 0; interval < 5; interval++) shared.giveUpAfter(2)
  await unanswered
  silent.restore()
  await shared.execute(statement)
  await shared.close()
  await silent.close()
})

test('a transaction of a server that falls silent is given up, and its place is free again', async () => {
  const silent = await startTcpProxy(db.appUrl)
  const connect = connector({ url: silent.url, statementTimeoutMs: 0, onError: () => undefined })
  const pool = new ConnectionPool(connect, 1)
  const patient = { owner: 'a', timeoutMs: 60_000 }
  const select = (tx: Transaction) => tx.query(sql`select 1`)
  await runTransaction(pool, patient, select)
  silent.swallow()
  const unanswered = assert.rejects(runTransaction(pool, patient, select), DatabaseUnavailable)
  await setImmediate()
  for (let interval = 0; interval < 5; interval++) pool.giveUpAfter(2)
  await unanswered
  silent.restore()
  await runTransaction(pool, patient, async (tx) => {
    await select(tx)
    // It owes no answer now.
    for (let interval = 0; interval < 5; interval++) pool.giveUpAfter(2)
    await select(tx)
  })
  await pool.close()
  await silent.close()
})

test('the locks of a machine that is gone without a word are free again after ten seconds', async () => {
  const [held] = (
    await app.query<{ for: string }>(sql`
    select current_setting('idle_in_transaction_session_timeout') as for`)
  ).rows
  assert.deepEqual(held, { for: '10s' })
})

test('opening a database that cannot be reached fails with that reason', async () => {
  proxy.cut()
  await assert.rejects(openDatabase(proxied()), DatabaseUnavailable)
  proxy.restore()
})

test('a database whose certificate’s file has gone is unavailable', async () => {
  const url = new URL(db.appUrl)
  url.searchParams.set('sslmode', 'verify-full')
  url.searchParams.set('sslrootcert', '/nonexistent.pem')
  const connect = connector({ url: url.href, statementTimeoutMs: 1_000, onError: assert.fail })
  await assert.rejects(connect({ pipeline: false }), DatabaseUnavailable)
})

async function running(statement: Statement, count: number): Promise<void> {
  const { text } = statement.render()
  for (;;) {
    const { rows } = await db.owner.query(sql`select from pg_stat_activity where query = ${text} and state = 'active'`)
    if (rows.length >= count) return
  }
}
