// Says whether a statement waits for a test's transaction, on one server and on a cluster.
import { type Database, type Statement, sql, type Transaction } from '@clinic-data/database'

/**
 * Resolves when the change is done, or when a statement like one of the patterns waits for the holder: itself, or behind another one that
 * does. Other files' tests run on the same server, and what they wait for does not count.
 *
 * @param owner sees what every login waits for.
 * @param holder the transaction that the test keeps open.
 */
export async function doneOrWaiting(
  owner: Database,
  holder: Transaction,
  change: Promise<unknown>,
  ...patterns: readonly string[]
): Promise<void> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  change.then(done, done)
  const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
  // On a cluster another machine may wait: its processes have numbers that hold for all machines.
  const isCluster = citus.length > 0
  const { rows } = await holder.query<{ id: string }>(
    isCluster ? sql`select citus_backend_gpid()::text as id` : sql`select pg_backend_pid()::text as id`,
  )
  const held = waitingFor(rows[0]?.id ?? '', isCluster ? waitsOfCluster : waitsOfServer)
  while (!isDone) {
    if ((await owner.query(sql`${held} select from held where query like any(${patterns}::text[])`)).rows.length > 0)
      return
  }
}

/** Whoever waits, for whom, and by which statement. */
const waitsOfServer = sql`select pid::bigint as id, unnest(pg_blocking_pids(pid))::bigint as behind, query
  from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const waitsOfCluster = sql`select waiting_gpid as id, blocking_gpid as behind, blocked_statement as query
  from citus_lock_waits`

function waitingFor(holder: string, waits: Statement): Statement {
  return sql`with recursive waiting as materialized (${waits}), held as (
    select id, query from waiting where behind = ${holder}::bigint
    union select waiting.id, waiting.query from waiting join held on held.id = waiting.behind)`
}
