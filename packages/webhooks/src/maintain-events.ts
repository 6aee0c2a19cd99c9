// Events lie by days: the days to come are made ready, and those beyond the retention are dropped whole.
import { type Database, sql } from '@clinic-data/database'

/** Fewer days are never kept, whatever is asked for: deliveries are retried for a day, and replayed after that. */
export const LEAST_RETENTION_DAYS = 7

export async function maintainEvents(database: Database, retentionDays: number): Promise<void> {
  const days = Math.max(retentionDays, LEAST_RETENTION_DAYS)
  for (let more = true; more; ) {
    const { rows } = await database.query<{ more: boolean }>(sql`select maintain_events(${days}::integer) as more`)
    more = rows[0]?.more ?? false
  }
}
