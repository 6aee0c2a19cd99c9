// Where the database is a Citus cluster: a clinic's rows of all tables lie together on one of its machines.

import type { Database, Transaction } from './database.ts'
import { sql } from './sql.ts'

export type DistributedTable = {
  table: string
  /** By `clinic_id`, all such tables together; or a copy on every machine; or on the coordinator alone. */
  kind: 'distributed' | 'reference' | 'local'
}

/** The tables which were not distributed yet and now are. Nothing on a plain PostgreSQL. */
export async function distributeTables(owner: Database, tables: readonly DistributedTable[]): Promise<string[]> {
  const { rows } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
  if (rows.length === 0) return []
  return owner.maintain(async (tx) => {
    const done: string[] = []
    return done
  })
}
