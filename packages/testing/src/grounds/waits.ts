// Says whether a statement waits for another transaction, on one server and on a cluster.
import { type Database, sql } from '@clinic-data/database'

/** Resolves when the change is done, or when a statement like one of the patterns waits for another transaction. */
export async function doneOrWaiting(
  owner: Database,
  change: Promise<unknown>,
  ...patterns: readonly string[]
): Promise<void> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  change.then(done, done)
  // On a cluster another machine waits.
  const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
  const waits =
    citus.length > 0
      ? sql`select from citus_lock_waits where blocked_statement like any(${patterns}::text[])`
      : sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like any(${patterns}::text[])`
  while (!isDone) {
    if ((await owner.query(waits)).rows.length > 0) return
  }
}
