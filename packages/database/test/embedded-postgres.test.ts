// The embedded server: its folder, its accounts, and its recovery after killed processes.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase, sql } from '../src/database.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedUrls,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../src/embedded/embedded-postgres.ts'
import { goneWithin, readPostmaster } from '../src/embedded/postmaster.ts'
import { temporaryFolder } from './embedded.ts'

const isRoot = process.getuid?.() === 0

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let dataDir: string
let running: EmbeddedPostgres | undefined
const lines: string[] = []

/** Runs in a process: writes files into a folder for half a second, or until the folder is gone. */
const WRITES_FOR_A_WHILE = `
const { writeFileSync } = require('node:fs')
const until = Date.now() + 500
process.stdout.write('begun')
try {
  for (let i = 0; Date.now() < until; i++) writeFileSync(process.argv[1] + '/' + i, '')
} catch {}`

before(async () => {
  folder = await temporaryFolder()
  // Like root's home: no other account can enter it.
  await chmod(folder.path, 0o700)
  dataDir = join(folder.path, '.data')
  // A start that was killed has left this, and one of its programs goes on writing there for a while.
  const left = join(dataDir, 'pg.new-killed')
  await mkdir(left, { recursive: true, mode: 0o700 })
  await writeFile(join(left, 'PG_VERSION'), '18')
  const writer = spawn(process.execPath, ['--eval', WRITES_FOR_A_WHILE, left], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(writer.stdout, 'data')
})

after(async () => {
  await stop()
  await folder?.remove()
})

/** One server of this process, shared by several tests. */
async function start(): Promise<EmbeddedPostgres> {
  running ??= await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) })
  return running
}

async function stop(): Promise<void> {
  await running?.stop()
  running = undefined
}

async function startElsewhere(): Promise<{ child: ChildProcess; urls: EmbeddedUrls }> {
  await stop()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'embedded-child.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  assert.ok(child.stdout !== null)
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, urls: JSON.parse(line) }
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function ask(url: string, statement = sql`select current_user as said`): Promise<unknown> {
  const database = await openDatabase({ url })
  const { rows } = await database.query<{ said: unknown }>(statement)
  await database.close()
  return rows[0]?.said
}

const pidOf = async () => (await readPostmaster(join(dataDir, 'pg')))?.pid

test('a private folder gets a cluster in UTF-8 with bytewise order, under any locale', async () => {
  const { ownerUrl, appUrl } = await start()
  assert.equal(await ask(ownerUrl), 'clinic_data_owner')
  assert.equal(await ask(appUrl), 'clinic_data_app')
  const settings = sql`select array[current_setting('server_encoding'), datlocale, current_setting('fsync'),
    current_setting('synchronous_commit'), current_setting('listen_addresses')] as said
    from pg_database where datname = current_database()`
  assert.deepEqual(await ask(ownerUrl, settings), ['UTF8', 'C.UTF-8', 'on', 'on', ''])
})

test("every policy binds the application's role", async () => {
  const { appUrl } = await start()
  const powers = sql`select array[rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication] as said
    from pg_roles where rolname = current_user`
  assert.deepEqual(await ask(appUrl, powers), [false, false, false, false, false])
})

test('a password is required, and its file is private', async () => {
  const { appUrl } = await start()
  const url = new URL(appUrl)
  url.password = 'wrong'
  await assert.rejects(ask(url.href), /password authentication failed/)
  assert.equal((await stat(join(dataDir, 'postgres-passwords.json'))).mode & 0o777, 0o600)
})

test("a server that root starts runs without root's rights", { skip: !isRoot }, async () => {
  await start()
  const status = await readFile(`/proc/${await pidOf()}/status`, 'utf8')
  assert.match(status, /^Uid:\t([1-9]\d*)\t\1\t\1\t\1$/m)
  assert.match(status, /^Groups:\s*$/m)
})

test('parallel queries and vacuum work in a folder that the account itself could not reach', async () => {
  const { ownerUrl } = await start()
  const database = await openDatabase({ url: ownerUrl })
  await database.query(
    sql`create table if not exists many as select i, i % 7 as j from generate_series(1, 100000) as i`,
  )
  await database.query(sql`vacuum analyze many`)
  const total = await database.maintain(async (tx) => {
    await tx.script(`set local debug_parallel_query = on; set local parallel_setup_cost = 0; set local parallel_tuple_cost = 0;
      set local min_parallel_table_scan_size = 0`)
    return tx.query<{ total: number }>(sql`select sum(j)::int8 as total from many`)
  })
  await database.close()
  assert.deepEqual(total.rows, [{ total: 300_000 }])
})

test('stored data survives a stop', async () => {
  const { ownerUrl } = await start()
  await ask(ownerUrl, sql`create table kept as select 42 as answer`)
  await stop()
  assert.equal(await findEmbeddedPostgres(dataDir), null)
  const again = await start()
  assert.equal(await ask(again.ownerUrl, sql`select answer as said from kept`), 42)
})

test("a second start on one folder is refused with the folder's path and the holder's pid", async () => {
  await start()
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: () => undefined }), {
    message: `the data folder ${dataDir} is in use by process ${process.pid}`,
  })
})

test('exactly one of several simultaneous starts succeeds', async () => {
  await stop()
  const starts = [1, 2, 3].map(() => startEmbeddedPostgres({ dataDir, log: () => undefined }))
  const outcomes = await Promise.allSettled(starts)
  running = outcomes.find((outcome) => outcome.status === 'fulfilled')?.value
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
})

test('another process finds the running server, also by a relative path', async () => {
  const { child, urls } = await startElsewhere()
  assert.deepEqual(await findEmbeddedPostgres(dataDir), urls)
  assert.deepEqual(await findEmbeddedPostgres(relative(process.cwd(), dataDir)), urls)
  await assert.rejects(start(), new RegExp(`is in use by process ${child.pid}$`))
  await killed(child)
  await start()
})

test('a folder without a server has none to find', async () => {
  assert.equal(await findEmbeddedPostgres(join(folder.path, 'nowhere')), null)
})

test('a server orphaned by kill -9 is adopted, and stopped without leaving anything', async () => {
  const { child, urls } = await startElsewhere()
  const pid = await pidOf()
  await killed(child)
  const { appUrl } = await start()
  assert.equal(appUrl, urls.appUrl)
  assert.equal(await pidOf(), pid)
  assert.match(lines.join(), new RegExp(`adopted .* process ${pid}`))
  assert.equal(await ask(appUrl), 'clinic_data_app')
  await stop()
  assert.equal(await goneWithin(join(dataDir, 'pg'), 0), true)
})

test('committed data survives a kill -9 of process and server', async () => {
  const { child, urls } = await startElsewhere()
  const pid = await pidOf()
  await ask(urls.ownerUrl, sql`create table survived as select 1 as answer`)
  child.kill('SIGKILL')
  process.kill(pid ?? 0, 'SIGKILL')
  await once(child, 'exit')
  const { ownerUrl } = await start()
  assert.equal(await ask(ownerUrl, sql`select answer as said from survived`), 1)
})

test("a pid file that names somebody else's process does not prevent a start", async () => {
  await start()
  const file = join(dataDir, 'pg', 'postmaster.pid')
  const content = await readFile(file, 'utf8')
  const owner = await stat(join(dataDir, 'pg'))
  await stop()
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)'], isRoot ? { uid: owner.uid } : {})
  await once(stranger, 'spawn')
  await writeFile(file, content.replace(/^\d+/, String(stranger.pid)))
  const { appUrl } = await start()
  assert.equal(await ask(appUrl), 'clinic_data_app')
  assert.equal(stranger.exitCode, null)
  await killed(stranger)
})

test('an incomplete cluster is replaced by a new one', async () => {
  const { appUrl } = await start()
  assert.equal(await ask(appUrl), 'clinic_data_app')
  assert.deepEqual((await readdir(dataDir)).sort(), [
    'lock',
    'lock.pid',
    'pg',
    'postgres-passwords.json',
    'postgres.log',
  ])
})

test("the server's log holds no statement text and no values", async () => {
  const { ownerUrl } = await start()
  await assert.rejects(ask(ownerUrl, sql`select ${'marker-5150'}::int as said`))
  await assert.rejects(ask(ownerUrl, sql`select 'marker-5150' from nowhere`))
  assert.doesNotMatch(await readFile(join(dataDir, 'postgres.log'), 'utf8'), /marker-5150|nowhere/)
})

test('a killed server restarts at its address with all committed data', async () => {
  const { ownerUrl } = await start()
  const database = await openDatabase({ url: ownerUrl, onError: () => undefined })
  await database.query(sql`create table survivor (id int)`)
  await database.query(sql`insert into survivor values (1)`)
  for (let round = 1; round <= 2; round++) {
    const { pid = 0 } = (await readPostmaster(join(dataDir, 'pg'))) ?? {}
    process.kill(pid, 'SIGKILL')
    while (!lines.some((line) => line.includes(`process ${pid}, has ended`))) await delay(20)
    while (lines.filter((line) => line.includes('runs again')).length < round) await delay(20)
    const { rows } = await database.query(sql`select id from survivor`)
    assert.equal(rows.length, 1)
  }
  await database.query(sql`drop table survivor`)
  await database.close()
})
