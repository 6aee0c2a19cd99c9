// The ground of `costs.ts`: the processes of a layout, whose CPU time and that of PostgreSQL can be told apart.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, sql } from '@clinic-data/database'
import { freePorts } from '@clinic-data/testing/free-port'
import { cpuOf, cpuOfFamily } from './cpu-time.ts'
import { type Layout, PARTS } from './measured-costs.ts'
import { answering, serve } from './served.ts'

/** The first process of each server of the database, all on this machine: one, or a coordinator with its workers. */
async function serversOf(owner: Database, isCluster: boolean): Promise<number[]> {
  if (!isCluster) {
    const { rows } = await owner.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    return rows.map(({ pid }) => Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]))
  }
  const { rows } = await owner.query<{ folder: string }>(
    sql`select result as folder from run_command_on_all_nodes('select current_setting(''data_directory'')')`,
  )
  return rows.map(({ folder }) => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]))
}

export interface Roles {
  /** The address of the public API, and of the ingest API. */
  readonly address: string
  readonly ingest: string
  /** The CPU time of each part of the layout until now, in µs, in its order. */
  cpu(): readonly number[]
  stop(): Promise<void>
}

export interface RolesToStart {
  owner: Database
  url: string
  secretKeys: string
  isCluster: boolean
  layout: Layout
}

export async function startRoles({ owner, url, secretKeys, isCluster, layout }: RolesToStart): Promise<Roles> {
  const ports = await freePorts(4)
  const [port = 0, ...adminPorts] = ports.map((free) => `${free}`)
  const [backendAdmin = '', dispatcherAdmin = '', gatewayAdmin = ''] = adminPorts
  const token = { BACKEND_TOKEN: randomBytes(32).toString('hex') }
  const keys = { SECRET_KEYS: secretKeys }
  const database = { ...keys, DATABASE_URL: url, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
  const address = `http://127.0.0.1:${port}`
  const backendUrl = `http://127.0.0.1:${backendAdmin}`
  const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    all: { ...database, PORT: `${port}`, ADMIN_PORT: backendAdmin },
    backend: { ...database, ...token, ADMIN_PORT: backendAdmin },
    dispatcher: { ...database, ADMIN_PORT: dispatcherAdmin },
    gateway: { ...keys, ...token, BACKEND_URL: backendUrl, PORT: `${port}`, ADMIN_PORT: gatewayAdmin },
  }
  const roles: readonly string[] = PARTS[layout].slice(0, -1)
  const started = roles.map((role) => serve(settings[role] ?? {}, '--role', role))
  const health = (role: string) =>
    role === 'dispatcher' ? `http://127.0.0.1:${dispatcherAdmin}/healthz` : `${address}/readyz`
  await Promise.all(roles.map((role, at) => started[at] && answering(health(role), started[at])))
  const servers = await serversOf(owner, isCluster)
  return {
    address,
    ingest: `${backendUrl}/ingest/v1`,
    cpu: () => [
      ...started.map((one) => cpuOf(one.process.pid ?? 0)),
      servers.reduce((sum, pid) => sum + cpuOfFamily(pid), 0),
    ],
    stop: async () => void (await Promise.all(started.map((one) => one.stop()))),
  }
}

/** Where the statements of a cluster went since its last reset: to one shard, or to several. */
export async function shardsTouched(owner: Database): Promise<{ one: number; several: number }> {
  const { rows } = await owner.query<{ one: number; several: number }>(sql`
    select query_execution_single_shard::float8 as one, query_execution_multi_shard::float8 as several
    from citus_stat_counters where name = current_database()`)
  return rows[0] ?? { one: 0, several: 0 }
}
