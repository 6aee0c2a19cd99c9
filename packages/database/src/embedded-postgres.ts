// A real PostgreSQL server in a folder, for a machine on which nobody has set one up.
//
// It listens on the loopback address only and asks for a password. It outlives a parent that was killed, and the next
// start on its folder adopts it.

import { existsSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keepFolder } from '@clinic-data/disk/kept-file'
import { Client } from 'pg'
import {
  APP_ROLE,
  clusterPath,
  DATABASE,
  ensureCluster,
  OWNER_ROLE,
  type Passwords,
  readPasswords,
} from './cluster-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { keepRunning } from './keep-running.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { clusterName, type Postmaster, readPostmaster, serverProcesses, stopServer } from './postmaster.ts'
import { serverAccount } from './server-account.ts'
import { launchServer } from './server-launch.ts'

export type EmbeddedUrls = {
  /** For migrations and operators. */
  ownerUrl: string
  /** For the program: bound by row level security. */
  appUrl: string
}

export type EmbeddedPostgres = EmbeddedUrls & {
  /** Fast shutdown; resolved when the server has ended and the folder is free. */
  stop: () => Promise<void>
}

const ADOPTION_MS = 30_000

export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: (line: string) => void
}): Promise<EmbeddedPostgres> {
  await keepFolder(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const lock = await lockFolder(dataDir)
  const { log } = options
  const cluster = clusterPath(dataDir)
  try {
    const run = async (port?: number) => (await adopt(dataDir, log)) ?? (await launch(dataDir, port))
    const postmaster = await run()
    const keeper = keepRunning({ postmaster, restart: run, log })
    const stop = async () => {
      await keeper.stop()
      await stopServer(cluster)
      await lock.release()
    }
    return { ...urls(await readPasswords(dataDir), postmaster.port), stop }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** The server of a folder that another process runs: for an operator's command beside it. */
export async function findEmbeddedPostgres(dataDir: string): Promise<EmbeddedUrls | null> {
  const running = await runningServer(dataDir)
  return running.postmaster === undefined ? null : urls(await readPasswords(dataDir), running.postmaster.port)
}

async function launch(dataDir: string, port: number | undefined): Promise<Postmaster> {
  const cluster = clusterPath(dataDir)
  const account = await serverAccount(cluster)
  const native = await postgresBinaries(dataDir, account)
  await ensureCluster(dataDir, native, account)
  return launchServer({ cluster, native, account, logFile: join(dataDir, 'postgres.log'), port })
}

/** A killed parent's server goes on with us. One that is ending is waited for. */
async function adopt(dataDir: string, log: (line: string) => void): Promise<Postmaster | undefined> {
  const endsAt = performance.now() + ADOPTION_MS
  for (;;) {
    const { postmaster, processes } = await runningServer(dataDir)
    if (postmaster !== undefined) {
      log(`adopted the PostgreSQL server of ${dataDir}, process ${postmaster.pid}`)
      return postmaster
    }
    if (processes === 0) {
      await forgetPostmaster(dataDir)
      return undefined
    }
    if (performance.now() > endsAt) throw new Error(`a PostgreSQL server of ${dataDir} neither answers nor ends`)
    await delay(50)
  }
}

async function runningServer(dataDir: string): Promise<{ postmaster: Postmaster | undefined; processes: number }> {
  const cluster = clusterPath(dataDir)
  if (!existsSync(cluster)) return { postmaster: undefined, processes: 0 }
  const name = await clusterName(cluster)
  const postmaster = await readPostmaster(cluster)
  const processes = await serverProcesses(name)
  const ours = postmaster?.ready && processes.includes(postmaster.pid)
  const answering = ours && (await answers(urls(await readPasswords(dataDir), postmaster.port).ownerUrl))
  return { postmaster: answering ? postmaster : undefined, processes: processes.length }
}

/** To this folder's own password. */
async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/**
 * The pid file of a server that was killed may name a process which is by now somebody else's, and PostgreSQL would take
 * that for a running server. No process of the cluster is left, so nothing is lost with the file.
 */
async function forgetPostmaster(dataDir: string): Promise<void> {
  if (process.platform !== 'win32') await rm(join(clusterPath(dataDir), 'postmaster.pid'), { force: true })
}

function urls({ owner, app }: Passwords, port: number): EmbeddedUrls {
  const url = (role: string, password: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE}`
  return { ownerUrl: url(OWNER_ROLE, owner), appUrl: url(APP_ROLE, app) }
}
