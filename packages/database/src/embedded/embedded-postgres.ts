// A real PostgreSQL server in a folder, for a machine without one.
//
// It listens at a socket in its own folder and requires proof of the password. It survives a parent that was killed, and the next
// start on its folder adopts it.

import { existsSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keepFolder } from '@clinic-data/disk/kept-file'
import { connector } from '../connections/connect.ts'
import { APP_ROLE, clusterPath, DATABASE, ensureCluster, OWNER_ROLE, readPasswords } from './cluster-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { keepRunning } from './keep-running.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { endsWithProcess, type Postmaster, readPostmaster, serverProcesses, stopServer } from './postmaster.ts'
import { serverAccount } from './server-account.ts'
import { HAS_SOCKETS, SOCKET_FILES, serverAuthority } from './server-address.ts'
import { launchServer } from './server-launch.ts'

export type EmbeddedUrls = {
  /** For migrations and operators. */
  ownerUrl: string
  /** For the program. Row level security binds it. */
  appUrl: string
}

export type EmbeddedPostgres = EmbeddedUrls & {
  /** Fast shutdown. Resolves when the server has ended and the folder is free. */
  stop: () => Promise<void>
}

const ADOPTION_MS = 30_000

export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: (line: string) => void
  /** Settings of PostgreSQL, instead of ours. */
  settings?: Readonly<Record<string, string>>
}): Promise<EmbeddedPostgres> {
  await keepFolder(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const lock = await lockFolder(dataDir)
  const { log } = options
  const cluster = clusterPath(dataDir)
  try {
    const run = async (port?: number) => (await adopt(dataDir, log)) ?? (await launch(dataDir, port, options.settings))
    const postmaster = await run()
    const keeper = keepRunning({ postmaster, restart: run, log })
    const stop = async () => {
      await keeper.stop()
      await stopServer(cluster)
      await lock.release()
    }
    return { ...(await urlsOf(dataDir, postmaster)), stop }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Finds the server of a folder that another process runs, for an operator's command beside it. */
export async function findEmbeddedPostgres(folder: string): Promise<EmbeddedUrls | null> {
  if (!existsSync(folder)) return null
  // The socket's folder is a host name in a url, and only an absolute path is one of a folder.
  const dataDir = await realpath(folder)
  const { postmaster } = await runningServer(dataDir)
  return postmaster === undefined ? null : urlsOf(dataDir, postmaster)
}

async function launch(
  dataDir: string,
  port: number | undefined,
  settings: Readonly<Record<string, string>> = {},
): Promise<Postmaster> {
  const cluster = clusterPath(dataDir)
  const account = await serverAccount(cluster)
  const native = await postgresBinaries(dataDir, account)
  await ensureCluster(dataDir, native, account)
  return launchServer({ cluster, native, account, logFile: join(dataDir, 'postgres.log'), port, settings })
}

/** Adopts the server of a killed parent. Waits for one that is shutting down. */
async function adopt(dataDir: string, log: (line: string) => void): Promise<Postmaster | undefined> {
  const endsAt = performance.now() + ADOPTION_MS
  for (;;) {
    const { postmaster, processes } = await runningServer(dataDir)
    if (postmaster !== undefined) {
      endsWithProcess(clusterPath(dataDir), postmaster.pid)
      log(`adopted the PostgreSQL server of ${dataDir}, process ${postmaster.pid}`)
      return postmaster
    }
    if (processes === 0) {
      await forgetPostmaster(dataDir)
      return undefined
    }
    // An earlier version's server listens at a port that others can reach.
    if (await listensElsewhere(dataDir)) await stopServer(clusterPath(dataDir))
    if (performance.now() > endsAt) throw new Error(`a PostgreSQL server of ${dataDir} neither answers nor ends`)
    await delay(50)
  }
}

async function runningServer(dataDir: string): Promise<{ postmaster: Postmaster | undefined; processes: number }> {
  const cluster = clusterPath(dataDir)
  if (!existsSync(cluster)) return { postmaster: undefined, processes: 0 }
  const postmaster = await readPostmaster(cluster)
  const processes = await serverProcesses(cluster)
  const ours = postmaster?.ready && processes.includes(postmaster.pid)
  const answering = ours && (await answers((await urlsOf(dataDir, postmaster)).ownerUrl))
  return { postmaster: answering ? postmaster : undefined, processes: processes.length }
}

/** Whether the server answers to this folder's own password. */
async function answers(url: string): Promise<boolean> {
  const connect = connector({ url, statementTimeoutMs: 0, onError: () => undefined })
  try {
    await (await connect({ pipeline: false })).end()
    return true
  } catch {
    return false
  }
}

async function listensElsewhere(dataDir: string): Promise<boolean> {
  const postmaster = await readPostmaster(clusterPath(dataDir))
  return HAS_SOCKETS && postmaster !== undefined && postmaster.host !== ''
}

/**
 * The pid file of a killed server may name a process that now belongs to another user, and PostgreSQL would mistake it for a
 * running server. No process of the cluster is left, so deleting the file loses nothing.
 */
async function forgetPostmaster(dataDir: string): Promise<void> {
  if (!HAS_SOCKETS) return
  for (const name of ['postmaster.pid', ...SOCKET_FILES]) await rm(join(clusterPath(dataDir), name), { force: true })
}

/** @param cluster - another folder than the cluster's own: it has not got its name yet. */
export async function urlsOf(
  dataDir: string,
  { port }: Pick<Postmaster, 'port'>,
  cluster = clusterPath(dataDir),
): Promise<EmbeddedUrls> {
  const { owner, app } = await readPasswords(dataDir)
  const authority = await serverAuthority(cluster, port)
  const url = (role: string, password: string) =>
    `postgres://${role}:${password}@${authority}/${DATABASE}?require_auth=scram-sha-256`
  return { ownerUrl: url(OWNER_ROLE, owner), appUrl: url(APP_ROLE, app) }
}
