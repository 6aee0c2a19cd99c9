// PostgreSQL servers of a test's own, 18 and Debian's 15, with a database whose owner may only create roles.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { freePort } from '../free-port.ts'
import { copyKept } from '../run/kept-cluster.ts'

export const DEBIAN_15 = '/usr/lib/postgresql/15/bin'

interface Server {
  /** The url of its superuser. */
  url: string
  stop: () => Promise<unknown>
}

export type Version = 'PostgreSQL 15' | 'PostgreSQL 18'

/** Servers of their own, because roles belong to the whole server. */
export const servers: Record<Version, { skip: string | false; start: () => Promise<Server> }> = {
  'PostgreSQL 18': { skip: false, start: embedded },
  'PostgreSQL 15': {
    skip: existsSync(join(DEBIAN_15, 'initdb')) ? false : `there is no PostgreSQL 15 in ${DEBIAN_15}`,
    start: debian,
  },
}

async function embedded(): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plain-owner-'))
  copyKept(dataDir)
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
  const { ownerUrl, stop } = await startEmbeddedPostgres({ dataDir, log: () => undefined, settings })
  const url = Object.assign(new URL(ownerUrl), { pathname: '/postgres' }).href
  await asking(url, async (database) => {
    await database.query(sql`drop database clinic_data`)
  })
  return { url, stop: () => stop().finally(() => rm(dataDir, { recursive: true })) }
}

async function debian(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'plain-owner-'))
  const password = newPassword()
  await writeFile(join(folder, 'password'), password)
  const account = accountOfServer()
  for (const path of [folder, join(folder, 'password')]) if (account) await chown(path, account.uid, account.gid)
  const data = join(folder, 'data')
  const options = ['-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '-U', 'super', `--pwfile=${folder}/password`]
  execFileSync(join(DEBIAN_15, 'initdb'), ['-D', data, ...options], { ...account, stdio: 'ignore' })
  const { port, stop } = await serveFolder(data, folder)
  return {
    url: `postgres://super:${password}@127.0.0.1:${port}/postgres`,
    stop: () => stop().finally(() => rm(folder, { recursive: true })),
  }
}

/** Starts Debian's server on a folder with data, which its account owns. @param sockets - a folder for those */
export async function serveFolder(data: string, sockets: string): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await freePort()
  const settings = ['-p', String(port), '-k', sockets, '-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1']
  const child = spawn(join(DEBIAN_15, 'postgres'), ['-D', data, ...settings], {
    ...accountOfServer(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await ready(child)
  const stop = async () => {
    child.kill('SIGINT')
    await ended
  }
  return { port, stop }
}

/** The account to run PostgreSQL as, which refuses to run as root. */
export function accountOfServer(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const number = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

/** Waits until it tells so. @throws when it ends before that. */
async function ready(child: ChildProcess): Promise<void> {
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    lines.push(line)
    if (!line.includes('ready to accept connections')) continue
    child.stderr?.resume()
    return
  }
  assert.fail(lines.join('\n'))
}

export const newPassword = () => randomBytes(16).toString('hex')
export const newSecretKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
export const as = (url: string, username: string, password: string, database = 'clinic') =>
  Object.assign(new URL(url), { username, password, pathname: `/${database}` }).href

export interface PlainOwner {
  superUrl: string
  url: string
  stop: () => Promise<unknown>
}

/** Starts a server with a database whose owner may only create roles. */
export async function plainOwner(start: () => Promise<Server>): Promise<PlainOwner> {
  const server = await start()
  const password = newPassword()
  await asking(server.url, async (database) => {
    await database.query(sql`drop role if exists clinic_data_app`)
    await database.query(sql`drop role if exists clinic_data_console`)
    await database.query(sql`create role plain login createrole`)
    await database.maintain((tx) => tx.script(`alter role plain password '${password}'`))
    await database.query(sql`create database clinic owner plain`)
  })
  return {
    superUrl: as(server.url, new URL(server.url).username, new URL(server.url).password),
    url: as(server.url, 'plain', password),
    stop: server.stop,
  }
}

export async function asking<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url, statementTimeoutMs: 0 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
