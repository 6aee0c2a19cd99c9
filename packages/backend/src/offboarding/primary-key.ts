// The columns of each table's primary key, to walk its rows in order and to name them.
import { type Database, sql } from '@clinic-data/database'

export interface KeyColumn {
  readonly name: string
  /** As PostgreSQL writes it: `timestamp(3) with time zone`. */
  readonly type: string
}

/** Without the clinic, which begins every key. Empty for a table with one row for each clinic. */
export async function primaryKeysOf(owner: Database, tables: readonly string[]): Promise<Map<string, KeyColumn[]>> {
  const { rows } = await owner.query<KeyColumn & { table: string }>(sql`
    select named.name as table, attname as name, format_type(atttypid, atttypmod) as type
    from unnest(${tables}::text[]) as named(name), pg_index i, unnest(i.indkey) with ordinality as part(number, position), pg_attribute a
    where i.indrelid = named.name::regclass and i.indisprimary and a.attrelid = i.indrelid and a.attnum = part.number
      and attname <> 'clinic_id'
    order by part.position`)
  const keys = new Map<string, KeyColumn[]>(tables.map((table) => [table, []]))
  for (const { table, name, type } of rows) keys.get(table)?.push({ name, type })
  return keys
}
