// Finds what the server keeps besides its own files: standbys and an archive of its log, as far as every role may see them.
import type { Database } from './database.ts'
import { sql } from './sql.ts'

/**
 * How many are connected through a replication slot of their own. A base backup and the move of a shard have slots too: theirs are temporary,
 * or logical.
 */
export async function connectedStandbys(owner: Database): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(sql`
    select count(*)::integer as count from pg_replication_slots where slot_type = 'physical' and not temporary and active`)
  return rows[0]?.count ?? 0
}

/**
 * Whether the server's last attempt to archive a part of its log failed. It tries again by itself. A former failure is
 * none any more where it archives nothing now.
 */
export async function archiveFails(owner: Database): Promise<boolean> {
  const { rows } = await owner.query<{ fails: boolean }>(sql`
    select current_setting('archive_mode') <> 'off'
      and coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as fails from pg_stat_archiver`)
  return rows[0]?.fails ?? false
}
