// Events lie by days: the days to come are made ready, and those beyond the retention are dropped whole.
import { type Database, sql } from '@clinic-data/database'

/** Fewer days are never kept, whatever is asked for: deliveries are retried for a day, and replayed after that. */
export const LEAST_RETENTION_DAYS = 7

/**
 * A round. Of the days beyond the retention the oldest alone is dropped in it, so that a clock that is far ahead for a
 * moment does not cost all of them; rounds are more frequent than days.
 */
export async function maintainEvents(database: Database, retentionDays: number): Promise<void> {
  const days = Math.max(retentionDays, LEAST_RETENTION_DAYS)
  const [found] = (await database.query<{ oldest: string | null }>(sql`select oldest_event_day()::text as oldest`)).rows
  const oldest = found?.oldest ?? null
  for (let more = true; more; ) {
    const { rows } = await database.query<{ more: boolean }>(
      sql`select maintain_events(${days}::integer, ${oldest}::date) as more`,
    )
    more = rows[0]?.more ?? false
  }
}
