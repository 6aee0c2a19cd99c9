// Events are partitioned by day. Prepares the coming days and drops those beyond the retention whole.
import { LEAST_RETENTION_DAYS } from '@clinic-data/contract/limits'
import { type Database, sql } from '@clinic-data/database'

/**
 * Runs one round. Each round drops only the oldest day beyond the retention. So a clock that is far ahead for a moment does
 * not delete all of them. Rounds are more frequent than days. `stopping` ends the round after the step under way: on a cluster
 * all steps together may take longer than a process has to stop.
 */
export async function maintainEvents(database: Database, retentionDays: number, stopping?: AbortSignal): Promise<void> {
  const days = Math.max(retentionDays, LEAST_RETENTION_DAYS)
  const [found] = (await database.query<{ oldest: string | null }>(sql`select oldest_event_day()::text as oldest`)).rows
  const oldest = found?.oldest ?? null
  for (let more = true; more && !stopping?.aborted; ) {
    const { rows } = await database.query<{ more: boolean }>(
      sql`select maintain_events(${days}::integer, ${oldest}::date) as more`,
    )
    more = rows[0]?.more ?? false
  }
}
