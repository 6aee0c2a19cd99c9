// Starts a cluster's server and waits until it accepts connections.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keepNewFile } from '@clinic-data/disk/kept-file'
import { folderForProgram } from './cluster-folder.ts'
import { clusterName, endsWithProcess, type Postmaster, readPostmaster } from './postmaster.ts'
import { type Account, spawnAs } from './server-account.ts'
import { HAS_SOCKETS, SOCKET_PORT } from './server-address.ts'

export type Launch = {
  cluster: string
  native: string
  account: Account | undefined
  /** The file for the server's own messages. */
  logFile: string
  /** For systems without sockets. Undefined means any free port. */
  port: number | undefined
  /** Settings of PostgreSQL, instead of ours. */
  settings?: Readonly<Record<string, string>>
}

const RETRY_MS = 10_000
const LOOK_AGAIN_MS = 5
const LONGEST_LOG_BYTES = 10_000_000

// Another process took the port in between, or a server that is just ending still holds the folder.
const PASSING = /Address already in use|"postmaster\.pid" already exists|pre-existing shared memory block/

export async function launchServer(launch: Launch): Promise<Postmaster> {
  const endsAt = performance.now() + RETRY_MS
  for (;;) {
    const log = await openLog(launch.logFile)
    try {
      const { size } = await log.stat()
      const child = await spawnServer(launch, log, HAS_SOCKETS ? SOCKET_PORT : (launch.port ?? (await freePort())))
      const postmaster = await untilReady(child, launch.cluster)
      if (postmaster !== undefined) return postmaster
      const said = (await readFile(launch.logFile)).subarray(size).toString().trim()
      if (!PASSING.test(said) || performance.now() > endsAt) throw new Error(`PostgreSQL does not start: ${said}`)
    } finally {
      await log.close()
    }
    await delay(200)
  }
}

async function spawnServer(
  { cluster, native, account, settings: override }: Launch,
  log: FileHandle,
  port: number,
): Promise<ChildProcess> {
  const { path, descriptor } = await folderForProgram(cluster, account)
  const settings = { ...SETTINGS, ...override, port, cluster_name: await clusterName(cluster) }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  try {
    const child = spawn(join(native, 'bin', 'postgres'), ['-D', path, ...args], {
      ...spawnAs(account),
      stdio: ['ignore', log.fd, log.fd, descriptor.fd],
      // A process group of its own: the terminal's Ctrl-C reaches only us, and we stop the server after everything else has ended.
      detached: true,
    })
    child.unref()
    await once(child, 'spawn')
    if (child.pid !== undefined) endsWithProcess(cluster, child.pid)
    return child
  } finally {
    await descriptor.close()
  }
}

/** As long as the process lives, it is starting: a recovery may take minutes. Undefined when it has ended instead. */
async function untilReady(child: ChildProcess, cluster: string): Promise<Postmaster | undefined> {
  while (child.exitCode === null && child.signalCode === null) {
    const postmaster = await readPostmaster(cluster)
    if (postmaster?.ready && postmaster.pid === child.pid) return postmaster
    await delay(LOOK_AGAIN_MS)
  }
  return undefined
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port was found')
  return address.port
}

async function openLog(path: string): Promise<FileHandle> {
  await keepNewFile(path, '', 'folder')
  const log = await open(path, 'a', 0o600)
  if ((await log.stat()).size > LONGEST_LOG_BYTES) await log.truncate()
  return log
}

const SETTINGS = {
  listen_addresses: HAS_SOCKETS ? '' : '127.0.0.1',
  // The cluster's own folder, even if the path leads over links.
  unix_socket_directories: HAS_SOCKETS ? '.' : '',
  unix_socket_permissions: '0600',
  max_connections: 100,
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  wal_compression: 'on',
  // How long the planner's statistics may miss a clinic that fills up.
  autovacuum_naptime: '30s',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements and the texts of their errors hold patients' data. Messages about the server itself do not.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}
