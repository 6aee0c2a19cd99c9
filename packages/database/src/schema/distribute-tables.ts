// Distributes the tables on a Citus cluster, so that a clinic's rows of all tables lie together on one machine (docs/decisions/0026).

import type { Transaction } from '../connections/transaction.ts'
import { sql } from '../sql.ts'

export type DistributedTable = {
  table: string
  /** Distributed by `clinic_id` together with all such tables, copied to every machine, or on the coordinator only. */
  kind: 'distributed' | 'reference' | 'local'
}

/** Distributes the tables that are not yet distributed and returns them. Does nothing on plain PostgreSQL. */
export async function distributeTables(tx: Transaction, tables: readonly DistributedTable[]): Promise<string[]> {
  const { rows: extension } = await tx.query(sql`select from pg_extension where extname = 'citus'`)
  if (extension.length === 0) return []
  const distributed = await distributedAlready(tx)
  const foreignKeys = await foreignKeysOf(tx)
  const missing = (kind: DistributedTable['kind']) =>
    tables.filter((each) => each.kind === kind && !distributed.has(each.table)).map(({ table }) => table)

  const references = parentsFirst(missing('reference'), foreignKeys)
  for (const table of references) await tx.query(sql`select create_reference_table(${table}::text::regclass)`)

  const sharded = parentsFirst(missing('distributed'), foreignKeys)
  // Naming one of them makes Citus refuse a table that would not lie beside the others, because of another collation, say.
  const anchor = tables.find(({ table, kind }) => kind === 'distributed' && distributed.has(table))?.table ?? sharded[0]
  for (const table of sharded) {
    const beside = table === anchor ? 'default' : anchor
    await tx.query(sql`
      select create_distributed_table(${table}::text::regclass, 'clinic_id', colocate_with => ${beside ?? 'default'})`)
  }
  await letShardsMove(tx, tables)
  return [...references, ...sharded]
}

/**
 * A shard moves under writes by replication, as a role that is a member of the tables' owner. PostgreSQL refuses that under row
 * level security unless the owner is exempt from it. Every other role stays bound.
 */
async function letShardsMove(tx: Transaction, tables: readonly DistributedTable[]): Promise<void> {
  const { rows } = await tx.query<{ table: string }>(sql`
    select relname as table from pg_class join pg_namespace n on n.oid = relnamespace
    where nspname = 'public' and relforcerowsecurity and relname = any(${tables.map(({ table }) => table)}::text[])`)
  for (const { table } of rows) await tx.query(sql`alter table ${sql.identifier(table)} no force row level security`)
}

async function distributedAlready(tx: Transaction): Promise<Set<string>> {
  // Hash-distributed and reference tables. Every other table that Citus knows is still only on the coordinator.
  const { rows } = await tx.query<{ table: string }>(sql`
    select relname as table from pg_dist_partition join pg_class on oid = logicalrelid
    where partmethod = 'h' or repmodel = 't'`)
  return new Set(rows.map(({ table }) => table))
}

type ForeignKey = { from: string; to: string }

async function foreignKeysOf(tx: Transaction): Promise<ForeignKey[]> {
  const { rows } = await tx.query<ForeignKey>(sql`
    select child.relname as from, parent.relname as to from pg_constraint
    join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and conrelid <> confrelid`)
  return rows
}

/** Citus accepts a table with a foreign key only when the referenced table is already distributed. */
function parentsFirst(tables: readonly string[], foreignKeys: readonly ForeignKey[]): string[] {
  const ordered: string[] = []
  let rest = [...tables]
  while (rest.length > 0) {
    const waiting = new Set(foreignKeys.filter(({ to }) => rest.includes(to)).map(({ from }) => from))
    const ready = rest.filter((table) => !waiting.has(table))
    if (ready.length === 0) throw new Error(`the foreign keys of ${rest.join(', ')} form a circle`)
    ordered.push(...ready)
    rest = rest.filter((table) => waiting.has(table))
  }
  return ordered
}
