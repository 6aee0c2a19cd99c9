// The standbys of the database, as far as every role may see them.
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
