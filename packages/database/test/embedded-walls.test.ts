// Other accounts of the machine cannot attack the embedded server.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, link, mkdir, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, afterEach, test } from 'node:test'
import { freePort } from '@clinic-data/testing/free-port'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { openDatabase, sql } from '../src/database.ts'
import { folderForProgram } from '../src/embedded/cluster-folder.ts'
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../src/embedded/embedded-postgres.ts'
import { postgresBinaries } from '../src/embedded/postgres-binaries.ts'
import { clusterName, readPostmaster } from '../src/embedded/postmaster.ts'
import { giveCluster, spawnAs } from '../src/embedded/server-account.ts'
import { temporaryFolder } from './embedded.ts'

const skip = process.getuid?.() === 0 ? false : 'only root may act as another account'
const onLinux = process.platform === 'linux' ? false : 'what a process has open is read from /proc'

/** The account nobody. */
const STRANGER = { uid: 65_534, gid: 65_534 }

const folder = await temporaryFolder()
// Other accounts may enter the folder. The server must protect itself.
await chmod(folder.path, 0o755)
const dataDir = join(folder.path, 'data')
const cluster = join(dataDir, 'pg')

const children: ChildProcess[] = []
let running: EmbeddedPostgres | undefined

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await running?.stop()
  running = undefined
})
after(() => folder.remove())

/** A new folder gets a cluster that is there already: none is made for it. */
async function start(at = dataDir): Promise<EmbeddedPostgres> {
  if (!existsSync(at)) copyKept(at)
  running = await startEmbeddedPostgres({ dataDir: at, log: () => undefined })
  return running
}

async function ask(url: string, statement = sql`select current_user as said`): Promise<unknown> {
  const database = await openDatabase({ url })
  const { rows } = await database.query<{ said: unknown }>(statement)
  await database.close()
  return rows[0]?.said
}

/** Runs a program as another account. Returns its output, or the code of its error. */
async function asStranger(program: string): Promise<string> {
  const child = spawn(process.execPath, ['-e', program], { ...STRANGER, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return said || (/\b(E[A-Z]{3,})\b/.exec(errors)?.[1] ?? errors)
}

test('the server listens only at its socket, which no other account can reach or replace', {
  skip,
}, async () => {
  await start()
  await chmod(dataDir, 0o777)
  const { pid = 0 } = (await readPostmaster(cluster)) ?? {}
  assert.deepEqual(await portsOf(pid), [])
  const socket = JSON.stringify(join(cluster, '.s.PGSQL.5432'))
  process.kill(pid, 'SIGKILL')
  for (const attempt of [
    `require('net').connect(${socket})`,
    `require('net').createServer().listen(${socket})`,
    `require('fs').unlinkSync(${socket})`,
    `require('fs').openSync(${JSON.stringify(join(dataDir, 'lock'))})`,
    `require('fs').readFileSync(${JSON.stringify(join(dataDir, 'postgres-passwords.json'))})`,
  ]) {
    assert.equal(await asStranger(attempt), 'EACCES', attempt)
  }
  await chmod(dataDir, 0o700)
})

test('each server of root has its own account without a name, and a restart keeps the account', { skip }, async () => {
  const other = join(folder.path, 'other')
  const uids = []
  for (const at of [dataDir, other, dataDir]) {
    await start(at)
    const { pid = 0 } = (await readPostmaster(join(at, 'pg'))) ?? {}
    const { uid } = await stat(`/proc/${pid}`)
    assert.equal((await stat(join(at, 'pg', 'base'))).uid, uid)
    uids.push(uid)
    await running?.stop()
    running = undefined
  }
  assert.equal(uids[0], uids[2])
  const named = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => Number(line.split(':')[2]))
  assert.ok(uids.every((uid) => uid > 0 && !named.includes(uid)))
})

test("a process that carries the server's name does not prevent a start", { skip }, async () => {
  await start()
  const name = await clusterName(cluster)
  await running?.stop()
  const impostor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)'], {
    ...STRANGER,
    argv0: `postgres: ${name}: walwriter`,
  })
  children.push(impostor)
  await once(impostor, 'spawn')
  assert.equal(await ask((await start()).appUrl), 'clinic_data_app')
})

test('the holder in a lock file is read as a number or as unknown', async () => {
  await start()
  for (const [written, shown] of [
    ['42\n', '42'],
    ['\u001b]0;gone\u0007', '\\(unknown\\)'],
    ['42 \u001b[2J\n', '\\(unknown\\)'],
  ] as const) {
    await writeFile(join(dataDir, 'lock.pid'), written)
    await assert.rejects(startEmbeddedPostgres({ dataDir, log: () => undefined }), new RegExp(`by process ${shown}$`))
  }
})

test('a folder whose path is too long for a socket works', { skip: onLinux }, async () => {
  await (await start()).stop()
  const place = join(folder.path, 'a'.repeat(120))
  const long = join(place, 'data')
  await mkdir(place)
  await rename(dataDir, long)
  const { appUrl, stop } = await start(long)
  assert.equal(await ask(appUrl), 'clinic_data_app')
  const found = await findEmbeddedPostgres(long)
  assert.equal(found && (await ask(found.ownerUrl)), 'clinic_data_owner')
  await stop()
  running = undefined
  await rename(long, dataDir)
})

test("an earlier version's server at a port is stopped, and its data moves to the socket", {
  skip,
}, async () => {
  await ask((await start()).ownerUrl, sql`create table if not exists earlier as select 7 as answer`)
  await running?.stop()
  running = undefined
  const old = await startAsEarlier()
  const { ownerUrl } = await start()
  assert.equal(old.exitCode, 0)
  assert.equal(await ask(ownerUrl, sql`select answer as said from earlier`), 7)
  const { pid = 0 } = (await readPostmaster(cluster)) ?? {}
  assert.deepEqual(await portsOf(pid), [])
  const { uid } = await stat(`/proc/${pid}`)
  assert.notEqual(uid, STRANGER.uid)
  for (const entry of await readdir(cluster, { recursive: true })) {
    assert.equal((await stat(join(cluster, entry))).uid, uid, entry)
  }
})

test('a cluster of a service with an account of its own stays with it, also when root starts the server', {
  skip,
}, async () => {
  const own = join(folder.path, 'of-a-service')
  copyKept(own)
  await giveCluster(join(own, 'pg'), STRANGER)
  await chown(own, STRANGER.uid, STRANGER.gid)
  const others = ['lock', 'lock.pid', 'postgres.log']
  for (const name of others) await rm(join(own, name), { force: true })
  await ask((await start(own)).ownerUrl, sql`create table of_root as select 7 as answer`)
  for (const name of others) assert.equal((await stat(join(own, name))).uid, STRANGER.uid, name)
  const { pid = 0 } = (await readPostmaster(join(own, 'pg'))) ?? {}
  assert.equal((await stat(`/proc/${pid}`)).uid, STRANGER.uid)
  await running?.stop()
  running = undefined
  for (const entry of await readdir(join(own, 'pg'), { recursive: true }))
    assert.equal((await stat(join(own, 'pg', entry))).uid, STRANGER.uid, entry)
})

test('a cluster whose files have a second name elsewhere is not handed over', { skip }, async () => {
  const place = join(folder.path, 'linked')
  await mkdir(place)
  const elsewhere = join(folder.path, 'elsewhere')
  await writeFile(elsewhere, 'x')
  await link(elsewhere, join(place, 'one'))
  await chown(place, STRANGER.uid, STRANGER.gid)
  await assert.rejects(giveCluster(place, { uid: 60_600, gid: 60_600 }), /second name/)
  assert.equal((await stat(elsewhere)).uid, 0)
})

/** Starts a server like earlier versions: as a shared account, at a port of the loopback address. */
async function startAsEarlier(): Promise<ChildProcess> {
  await giveCluster(cluster, STRANGER)
  await writeFile(join(cluster, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
  await chmod(join(cluster, 'pg_hba.conf'), 0o644)
  const native = await postgresBinaries(dataDir, STRANGER)
  const { path, descriptor } = await folderForProgram(cluster, STRANGER)
  const settings = {
    listen_addresses: '127.0.0.1',
    port: await freePort(),
    unix_socket_directories: '',
    cluster_name: await clusterName(cluster),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(native, 'bin', 'postgres'), ['-D', path, ...args], {
    ...spawnAs(STRANGER),
    stdio: ['ignore', 'ignore', 'ignore', descriptor.fd],
  })
  children.push(child)
  while (!(await readPostmaster(cluster))?.ready) assert.equal(child.exitCode, null)
  await descriptor.close()
  return child
}

/** The addresses where a process accepts TCP connections, from the machine's listening sockets. */
async function portsOf(pid: number): Promise<string[]> {
  const open = await readdir(`/proc/${pid}/fd`)
  const links = await Promise.all(open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  const lines = (await Promise.all(['tcp', 'tcp6'].map((file) => readFile(`/proc/${pid}/net/${file}`, 'utf8')))).join(
    '\n',
  )
  return lines
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && links.includes(`socket:[${inode}]`))
    .map(([, address = '']) => address)
}
