// An embedded server that counts its statements, for programs that measure what a part costs PostgreSQL.
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { clusterPath } from '@clinic-data/database/embedded/cluster-folder'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'

export interface Costs {
  /** Statements, without those that only begin, set up or end a transaction. */
  statements: number
  /** All of them. */
  calls: number
  /** The server's time: planning and execution. */
  ms: number
  /** Pages that were looked at, in memory or not. */
  pages: number
}

const COUNTING = `
shared_preload_libraries = 'pg_stat_statements'
pg_stat_statements.track_planning = on
`

export async function startCountingPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const options = { dataDir, log: () => undefined }
  const plain = await startEmbeddedPostgres(options)
  await plain.stop()
  await appendFile(join(clusterPath(dataDir), 'postgresql.auto.conf'), COUNTING)
  const server = await startEmbeddedPostgres(options)
  const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
  await owner.query(sql`create extension if not exists pg_stat_statements`)
  await owner.close()
  return server
}

/** Counts from now on. */
export async function startCounting(owner: Database): Promise<void> {
  await owner.query(sql`select pg_stat_statements_reset()`)
}

/** Returns what all statements have cost since, except those of the counting itself. */
export async function costsSoFar(owner: Database): Promise<Costs> {
  const { rows } = await owner.query<Record<keyof Costs, number | null>>(sql`
    select sum(calls) filter (where query !~* '^(begin|commit|rollback|set |select pg_catalog.set_config)')::float8 as statements,
      sum(calls)::float8 as calls, sum(total_exec_time + total_plan_time) as ms,
      sum(shared_blks_hit + shared_blks_read)::float8 as pages
    from pg_stat_statements where query !~ 'pg_stat_statements'`)
  const [sums] = rows
  return {
    statements: sums?.statements ?? 0,
    calls: sums?.calls ?? 0,
    ms: sums?.ms ?? 0,
    pages: sums?.pages ?? 0,
  }
}

/** The dearest statements since, for a look. */
export async function dearest(owner: Database, most: number): Promise<string[]> {
  const { rows } = await owner.query<{ line: string }>(sql`
    select calls || ' times, ' || round((total_exec_time + total_plan_time)::numeric, 1) || ' ms, '
      || shared_blks_hit + shared_blks_read || ' pages: ' || left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as line
    from pg_stat_statements where query !~ 'pg_stat_statements'
    order by total_exec_time + total_plan_time desc limit ${most}`)
  return rows.map(({ line }) => line)
}
