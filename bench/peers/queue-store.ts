// Opens what keeps a queue while it is measured: the PostgreSQL that both sides share, or a Redis of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '@clinic-data/database'
import { childrenOf } from '../cpu-time.ts'
import type { QueuePeer } from './queue.ts'
import type { QueueGround } from './queue-ground.ts'

export interface QueueStore {
  /** Its url, or its socket's path. */
  readonly address: string
  /** Its first processes. */
  pids(): readonly number[]
  /** Kills it with SIGKILL and starts it again. Resolves when it accepts connections. */
  crash(): Promise<void>
  /** Counts anew what PostgreSQL plans by, as it does by itself within a minute or two of a new table's first rows. */
  analyze(): Promise<void>
  /** Removes the peer's jobs. */
  empty(): Promise<void>
  close(): Promise<void>
}

/** Needs redis-server (Debian package redis-server) where the peer keeps its jobs in Redis. */
export async function openStore(ground: QueueGround, { keptIn }: QueuePeer): Promise<QueueStore> {
  return 'schema' in keptIn ? postgresStore(ground, keptIn.schema) : openRedis(keptIn.appendfsync)
}

export function postgresStore({ server, owner, postmaster }: QueueGround, schema?: string): QueueStore {
  return {
    address: server.ownerUrl,
    pids: () => [postmaster()],
    async crash() {
      const first = postmaster()
      // Otherwise its children would finish what they are doing.
      for (const pid of [first, ...childrenOf(first)]) process.kill(pid, 'SIGKILL')
      // The embedded server is started again by its keeper.
      await until(async () => (await owner.query(sql`select 1`).catch(() => null)) !== null)
    },
    async analyze() {
      await owner.query(sql`analyze`)
    },
    async empty() {
      if (schema !== undefined) await owner.query(sql`drop schema if exists ${sql.identifier(schema)} cascade`)
    },
    close: async () => undefined,
  }
}

/** @param port for a peer that has no use for a socket, 0 for none. */
export async function openRedis(appendfsync: string, port = 0): Promise<QueueStore> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-data-redis-'))
  const address = join(folder, 'redis.sock')
  const files = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', appendfsync]
  const start = async () => {
    const listens = ['--bind', '127.0.0.1', '--port', String(port), '--unixsocket', address]
    const child = spawn('redis-server', [...listens, ...files], { stdio: 'ignore' })
    await once(child, 'spawn')
    await until(async () => existsSync(address))
    return child
  }
  let child: ChildProcess = await start()
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    await rm(address, { force: true })
  }
  return {
    address,
    pids: () => [child.pid ?? 0],
    async crash() {
      await stop()
      child = await start()
    },
    analyze: async () => undefined,
    async empty() {
      await stop()
      await rm(join(folder, 'appendonlydir'), { recursive: true, force: true })
      child = await start()
    },
    async close() {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** Asks again and again until it is so. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(20)
}
