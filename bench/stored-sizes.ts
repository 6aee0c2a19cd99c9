// The bytes that a row of each table takes on the disk, by table and by its indexes.
import { type Database, sql } from '@clinic-data/database'

export interface StoredSize {
  name: string
  rows: number
  /** The rows themselves, and all indexes over them. */
  table_bytes: number
  index_bytes: number
}

/** With fewer rows a table's first pages would be most of its size. */
const FEWEST_ROWS = 1_000

/** Returns the sizes of all tables with many rows, the partitions of one together. The largest row first. */
export async function storedSizes(owner: Database): Promise<StoredSize[]> {
  await owner.query(sql`vacuum (full, analyze)`)
  const { rows } = await owner.query<StoredSize>(sql`
    with tables as (
      select coalesce(pg_partition_root(oid), oid) as root, oid, greatest(reltuples, 0)::float8 as rows
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)
    select root::regclass::text as name, sum(rows) as rows, sum(pg_table_size(oid))::float8 as table_bytes,
      sum(pg_indexes_size(oid))::float8 as index_bytes
    from tables group by root having sum(rows) >= ${FEWEST_ROWS}
    order by sum(pg_total_relation_size(oid)) / sum(rows) desc`)
  return rows
}

/**
 * Prints what a row of the audit log takes by operation, with its share of pages and indexes. Call it after `storedSizes`, which packs the
 * rows.
 */
export async function printAuditSizes(owner: Database, sizes: readonly StoredSize[]): Promise<void> {
  const { rows } = await owner.query<{ operation: string; surface: string; rows: number; bytes: number }>(sql`
    select operation, surface, count(*)::float8 as rows, avg(pg_column_size(audit.*))::float8 as bytes
    from audit group by operation, surface order by rows desc`)
  const audit = sizes.find(({ name }) => name === 'audit')
  if (audit === undefined) return
  const content = rows.reduce((sum, one) => sum + one.rows * one.bytes, 0)
  const share = (audit.table_bytes + audit.index_bytes - content) / audit.rows
  process.stdout.write('\n| audit row of | rows | bytes |\n|---|---|---|\n')
  for (const one of rows)
    process.stdout.write(`| \`${one.operation}\`, ${one.surface} | ${one.rows} | ${Math.round(one.bytes + share)} |\n`)
}

export function printSizes(sizes: readonly StoredSize[]): void {
  process.stdout.write('\n| table | rows | bytes a row | of it indexes |\n|---|---|---|---|\n')
  for (const { name, rows, table_bytes, index_bytes } of sizes) {
    const bytes = Math.round((table_bytes + index_bytes) / rows)
    process.stdout.write(`| \`${name}\` | ${rows} | ${bytes} | ${Math.round(index_bytes / rows)} |\n`)
  }
}
