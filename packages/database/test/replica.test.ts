// When a standby answers scans, and when the primary does. Here one real server is the standby, in a database whose functions tell of
// it what a test says, and the test is the primary, or another connection to the same. `test/failover/replica.long.test.ts` has a real pair.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { ownDatabase, type TestDatabase } from '@clinic-data/testing/run/test-database'
import { LONGEST_LAG_MS, Replica, type ReplicaNews } from '../src/connections/replica.ts'
import { DatabaseError, DatabaseUnavailable, openDatabase, sql } from '../src/database.ts'

const LOOK_EVERY_MS = 1_000
/** A test waits at most so long for an answer of the server: many seconds, and more on a busy machine. */
const MOST_TURNS = 3_000
const BOUNDS = { owner: 'clinic-a', timeoutMs: 60_000 }
const OFF = Buffer.from('S\0\0\0\x17in_hot_standby\0off\0', 'latin1')
const ON = Buffer.from('S\0\0\0\x16in_hot_standby\0on\0', 'latin1')
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0', 'latin1')

/** On a cluster files share one database, and what it tells of itself is for all of them. */
const skip = process.env.TEST_TEMPLATES === undefined ? 'there is no database of its own' : false

let db: TestDatabase
let proxy: TcpProxy
let greeter: Awaited<ReturnType<typeof startGreeter>>
let self: { login: string; database: string; system: string }

before(async () => {
  if (skip) return
  db = await ownDatabase()
  await db.owner.maintain((tx) =>
    tx.script(`
      create schema told;
      create table told.standby (position bigint, is_standby boolean);
      insert into told.standby values (0, true);
      create function told.pg_is_in_recovery() returns boolean language sql as 'select is_standby from told.standby';
      create function told.pg_last_wal_replay_lsn() returns pg_lsn language sql
        as $$ select '0/0'::pg_lsn + position from told.standby $$;
      create function told.conflict() returns void language plpgsql
        as $$ begin raise exception 'conflict with recovery' using errcode = '40001'; end $$;
      do $$ begin execute format('alter database %I set search_path = told, pg_catalog, public', current_database()); end $$`),
  )
  const { rows } = await db.owner.query<typeof self>(sql`
    select session_user::text as login, current_database()::text as database, system_identifier::text as system
    from pg_control_system()`)
  self = rows[0] ?? assert.fail('there is no server')
  proxy = await startTcpProxy(db.ownerUrl)
  greeter = await startGreeter(proxy.url)
})
after(async () => {
  await greeter?.close()
  await proxy?.close()
})

/** A way to the server on which it greets as a standby does. */
async function startGreeter(target: string) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1')
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined))
    client.on('data', (bytes) => upstream.write(bytes)).on('close', () => upstream.destroy())
    let held: Buffer | null = null
    let isGreeted = false
    upstream.on('close', () => client.destroy())
    upstream.on('data', (bytes: Buffer) => {
      if (isGreeted || (held === null && !bytes.includes(WELCOME))) return void client.write(bytes)
      held = Buffer.concat([held ?? Buffer.alloc(0), bytes])
      const at = held.indexOf(OFF)
      if (at < 0) return
      isGreeted = true
      client.write(Buffer.concat([held.subarray(0, at), ON, held.subarray(at + OFF.length)]))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = Object.assign(new URL(target), { port: String((server.address() as AddressInfo).port) })
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: url.href, close }
}

/** A standby that has been looked at once. Time passes, and looks come, only when a test says so. */
async function watched(t: TestContext) {
  await tell(0, true)
  let now = Math.ceil(performance.now())
  t.mock.method(performance, 'now', () => now)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const primary = { position: 0, is_standby: false, ...self }
  const news: ReplicaNews[] = []
  const replica = new Replica({
    url: greeter.url,
    statementTimeoutMs: 5_000,
    size: 1,
    onNews: (one: ReplicaNews) => void news.push(one),
    ask: async () => {
      const { position, ...others } = primary
      return { rows: [{ position: String(position), ...others }] } as never
    },
  })
  t.after(() => replica.close())
  const scan = (text = sql`select is_standby from told.standby`) =>
    replica.readUnder({ settings: { work_mem: '4MB' }, isCluster: false }, text.render(), BOUNDS)
  const until = async (isSo: () => boolean, act: () => void = () => undefined) => {
    for (let turn = 0; !isSo(); turn++) {
      if (turn === MOST_TURNS) assert.fail('it does not come about')
      act()
      await delay(1)
    }
  }
  const pass = (ms: number) => {
    now += ms
  }
  const look = () => t.mock.timers.tick(LOOK_EVERY_MS)
  await until(() => news.length > 0)
  return { primary, news, scan, until, pass, look, replica }
}

const tell = (position: number, isStandby: boolean) =>
  db.owner.query(sql`update told.standby set position = ${position}, is_standby = ${isStandby}`)

test('a standby is not taken for a primary', { skip }, async () => {
  const { url } = greeter
  await assert.rejects(openDatabase({ url }), (error) => {
    return error instanceof DatabaseUnavailable && /a standby, not the primary/.test(error.message)
  })
})

test('a scan goes to the standby, and tells since when its rows may be old', { skip }, async (t) => {
  const { news, scan, pass } = await watched(t)
  assert.deepEqual(news, [{ serves: true }])
  pass(300)
  assert.deepEqual(await scan(), { rows: [{ is_standby: true }], behindMs: 300 })
})

test('a standby that stays behind is used for five seconds, and again when it has caught up', { skip }, async (t) => {
  const { primary, news, scan, pass, look, until, replica } = await watched(t)
  primary.position = 20
  pass(LONGEST_LAG_MS)
  assert.equal((await scan())?.behindMs, LONGEST_LAG_MS)
  pass(1)
  assert.equal(await scan(), null)
  await tell(20, true)
  // The moment of a look tells that it is behind, and the look itself that it no longer is.
  look()
  assert.deepEqual(news[1], { serves: false, reason: 'it is too far behind' })
  await until(() => news.length === 3)
  assert.deepEqual([news[2], replica.lagMs], [{ serves: true }, 0])
  assert.equal((await scan())?.behindMs, 0)
})

for (const [what, change, reason] of [
  ['that is no standby any more', {}, /no standby any more/],
  ['of another cluster', { system: '1' }, /not a copy/],
  ['with another database', { database: 'other' }, /not a copy/],
  ['that was reached with another login', { login: 'other' }, /another login/],
] as const)
  test(`a server ${what} is never asked`, { skip }, async (t) => {
    const { primary, news, scan, look, until } = await watched(t)
    if (Object.keys(change).length === 0) await tell(0, false)
    Object.assign(primary, change)
    look()
    await until(() => news.length === 2)
    assert.match(news[1]?.serves === false ? news[1].reason : '', reason)
    assert.equal(await scan(), null)
  })

test('a scan that the standby ends to go on replaying is left to the primary, any other fault is the scan’s own', {
  skip,
}, async (t) => {
  const { scan } = await watched(t)
  assert.equal(await scan(sql`select told.conflict()`), null)
  await assert.rejects(scan(sql`select 1 / 0`), (error) => error instanceof DatabaseError && error.code === '22012')
})

test('a scan whose standby falls silent is left to the primary after two looks', { skip }, async (t) => {
  const { scan, look, until } = await watched(t)
  // Its connection is open.
  await scan()
  let answer: unknown = 'none yet'
  void scan(sql`select pg_sleep(0.05)`).then((got) => {
    answer = got
  })
  proxy.swallow()
  t.after(() => proxy.restore())
  await until(() => answer !== 'none yet', look)
  assert.equal(answer, null)
})

/** The server's name for the connection that ran the statement, and the session's settings there. */
const WHERE = sql`select current_setting('application_name') as place, current_setting('app.clinic_id', true) as clinic,
  current_setting('timezone') as zone`

const CLINIC = { clinic_id: '00000000-0000-4000-8000-000000000001', time_zone: 'Asia/Jerusalem' }

const named = (url: string, place: string) => Object.assign(new URL(url), { search: `?application_name=${place}` }).href

/** A database as a service opens it, with a standby that serves. Looks come only when a test says so. */
async function openedWithStandby(t: TestContext) {
  await tell(0, true)
  const now = Math.ceil(performance.now())
  t.mock.method(performance, 'now', () => now)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const news: ReplicaNews[] = []
  const database = await openDatabase({
    url: named(db.ownerUrl, 'primary'),
    replicaUrl: named(greeter.url, 'standby'),
    onReplicaNews: (one) => void news.push(one),
  })
  t.after(() => database.close())
  const untilTold = async (count: number) => {
    for (let turn = 0; news.length < count; turn++) {
      if (turn === MOST_TURNS) assert.fail('nothing is told of the standby')
      await delay(1)
    }
  }
  await untilTold(1)
  assert.deepEqual(news, [{ serves: true }])
  const scan = async (statement = WHERE) => (await database.scan(CLINIC, statement, BOUNDS.timeoutMs)).rows[0]
  return { database, scan, untilTold, look: () => t.mock.timers.tick(LOOK_EVERY_MS) }
}

test('scans go to the standby under their clinic; reads, writes and everything else stay on the primary', {
  skip,
}, async (t) => {
  const { database, scan } = await openedWithStandby(t)
  assert.deepEqual(await scan(), { place: 'standby', clinic: CLINIC.clinic_id, zone: CLINIC.time_zone })
  const elsewhere = [
    ...(await database.read<{ place: string }>(CLINIC, WHERE)),
    ...(await database.write(CLINIC, async (tx) => (await tx.query<{ place: string }>(WHERE)).rows)),
    ...(await database.maintain(async (tx) => (await tx.query<{ place: string }>(WHERE)).rows)),
    ...(await database.query<{ place: string }>(WHERE)).rows,
    ...(await database.readByKeyHash<{ place: string }>('0'.repeat(64), WHERE)),
    ...(await database.readAsDispatcher<{ place: string }>(WHERE)),
  ]
  assert.deepEqual(
    elsewhere.map(({ place }) => place),
    Array(6).fill('primary'),
  )
})

test('the primary answers scans while the standby does not serve, and nothing can be written by one', {
  skip,
}, async (t) => {
  const { scan, untilTold, look } = await openedWithStandby(t)
  const written = sql`update told.standby set position = 1`
  await assert.rejects(scan(written), (error) => error instanceof DatabaseError && error.code === '25006')
  await tell(0, false)
  look()
  await untilTold(2)
  assert.equal((await scan())?.place, 'primary')
  await assert.rejects(scan(written), (error) => error instanceof DatabaseError && error.code === '25006')
})

test('a scan whose standby breaks off is answered by the primary', { skip }, async (t) => {
  const { scan } = await openedWithStandby(t)
  assert.equal((await scan())?.place, 'standby')
  proxy.cut()
  t.after(() => proxy.restore())
  assert.equal((await scan())?.place, 'primary')
})
