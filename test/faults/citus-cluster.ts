// A Citus cluster of a scenario's own, as processes on this machine: one coordinator, two workers, and a third that may join.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, type Statement, sql } from '@clinic-data/database'
import { openOwner } from './processes.ts'
import type { Stage } from './scenario.ts'

/** A command beside the repository: `up <folder> <port>` starts a cluster and prints DATABASE_URL=…, `down <folder>` removes it. */
const COMMAND = join(import.meta.dirname, '../../../shared/tools/citus-cluster')
const COORDINATOR_PORT = 9860
const HOST = '127.0.0.1'
const LEFTOVERS_WITHIN_MS = 60_000
/**
 * Processes die here, not machines, so nothing waits for the disk. Shards are tables: with few of them the schema is made soon.
 */
const SETTINGS: readonly Statement[] = [
  sql`alter system set fsync = off`,
  sql`alter system set citus.shard_count = 8`,
  sql`select pg_reload_conf()`,
]

export async function missingCitus(): Promise<string | null> {
  if (!existsSync(COMMAND)) return 'no command that starts a Citus cluster lies beside the repository'
  return process.getuid?.() === 0 ? null : 'starting a Citus cluster needs root'
}

export class CitusCluster {
  readonly #folder: string
  readonly url: string
  readonly thirdPort = COORDINATOR_PORT + 3

  private constructor(folder: string, url: string) {
    this.#folder = folder
    this.url = url
  }

  static async start(stage: Stage): Promise<CitusCluster> {
    const folder = join(stage.folder, 'citus')
    await mkdir(folder)
    stage.defer(() => execFileSync(COMMAND, ['down', folder]))
    const printed = execFileSync(COMMAND, ['up', folder, `${COORDINATOR_PORT}`], { encoding: 'utf8', stdio: 'pipe' })
    const url = /^DATABASE_URL=(\S+)$/m.exec(printed)?.[1]
    if (url === undefined) throw new Error('the cluster has no coordinator')
    const cluster = new CitusCluster(folder, url)
    stage.defer(() => cluster.#stopThird())
    for (const node of [0, 1, 2]) {
      const place = new URL(url)
      place.port = `${COORDINATOR_PORT + node}`
      const server = await openOwner(place.href)
      for (const setting of SETTINGS) await server.query(setting)
      await server.close()
    }
    return cluster
  }

  /** SIGKILL. Resolves when its processes have let their files go. */
  async kill(port: number): Promise<void> {
    const pid = Number.parseInt(readFileSync(join(this.#data(port), 'postmaster.pid'), 'utf8'), 10)
    const children = execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
    process.kill(pid, 'SIGKILL')
    while (children.some((child) => existsSync(`/proc/${child}`))) await delay(10)
  }

  start(port: number): Promise<unknown> {
    return this.#control(port, 'start')
  }

  /** Starts a third worker, which holds nothing yet, and makes it known. */
  async addThird(owner: Database): Promise<void> {
    const port = this.thirdPort
    const folder = this.#data(port)
    if (!existsSync(folder)) {
      await this.#run('initdb', '-D', folder, '-A', 'trust', '-U', 'postgres')
      const settings = readFileSync(join(this.#data(COORDINATOR_PORT + 1), 'postgresql.conf'), 'utf8')
      const own = settings.slice(settings.indexOf('shared_preload_libraries=')).replace(/^port=\d+$/m, `port=${port}`)
      await appendFile(join(folder, 'postgresql.conf'), own)
      await this.start(port)
      await this.#run('createdb', '-h', HOST, '-p', `${port}`, 'clinic')
      await this.#run('psql', '-q', '-h', HOST, '-p', `${port}`, '-d', 'clinic', '-c', 'create extension citus')
    }
    await owner.query(sql`select citus_add_node(${HOST}, ${port}::int)`)
  }

  /** Gives the third worker its share of the shards. */
  async rebalance(owner: Database): Promise<void> {
    await withoutLeftovers(owner)
    await owner.query(sql`select rebalance_table_shards(shard_transfer_mode => 'force_logical')`)
  }

  /** Moves everything away from the third worker and forgets it. */
  async removeThird(owner: Database): Promise<void> {
    const port = this.thirdPort
    await withoutLeftovers(owner)
    await owner.query(sql`select citus_drain_node(${HOST}, ${port}::int)`)
    // A shard that it forgets stays on the machine, and no shard could move there again.
    await withoutLeftovers(owner)
    await owner.query(sql`select citus_remove_node(${HOST}, ${port}::int)`)
  }

  async #stopThird(): Promise<void> {
    if (existsSync(this.#data(this.thirdPort))) await this.#control(this.thirdPort, 'stop')
  }

  #data(port: number): string {
    return join(this.#folder, `node${port - COORDINATOR_PORT}`)
  }

  #control(port: number, command: 'start' | 'stop'): Promise<unknown> {
    return this.#run('pg_ctl', '-D', this.#data(port), '-l', `${this.#data(port)}.log`, '-m', 'fast', '-w', command)
  }

  /** One of PostgreSQL's programs, of the version of the cluster. */
  async #run(program: string, ...argv: string[]): Promise<void> {
    const version = readFileSync(join(this.#data(COORDINATOR_PORT), 'PG_VERSION'), 'utf8').trim()
    const path = `/usr/lib/postgresql/${version}/bin/${program}`
    // A server keeps the streams of the command that starts it.
    const child = spawn('runuser', ['-u', 'postgres', '--', path, ...argv], { cwd: '/', stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${program} ${argv.join(' ')}: exit code ${code}`)
  }
}

/** The port of the worker that holds a clinic's rows. */
export async function workerOf(owner: Database, clinic_id: string): Promise<number> {
  const { rows } = await owner.query<{ port: number }>(sql`
    select nodeport::int as port from pg_dist_shard_placement
    where shardid = get_shard_id_for_distribution_column('payment', ${clinic_id}::text)`)
  const [found] = rows
  if (found === undefined) throw new Error('the clinic has no shard')
  return found.port
}

/** Citus removes what it has moved when nobody reads it any more, and does not move a shard to where its former self still is. */
async function withoutLeftovers(owner: Database): Promise<void> {
  const left = async () => (await owner.query(sql`select from pg_dist_cleanup limit 1`)).rowCount
  const endsAt = performance.now() + LEFTOVERS_WITHIN_MS
  while ((await left()) > 0 && performance.now() < endsAt) {
    await owner.query(sql`call citus_cleanup_orphaned_resources()`)
    await delay(100)
  }
}
