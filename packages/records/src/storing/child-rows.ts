// Rows that belong to one record and are sent whole with it: a patient's contacts, an appointment's providers.

import type { Clinic } from '@clinic-data/contract'
import type { SqlScalar, Transaction } from '@clinic-data/database'
import { sql } from '@clinic-data/database'
import type { RecordTable } from './record-table.ts'
import { addRows } from './store-rows.ts'

export type ChildTable<C> = {
  /** Its key begins with the parent's id. */
  readonly rows: RecordTable<C>
  readonly parent: string
  /** The columns in which two sets of children are compared. */
  readonly compared: readonly string[]
}

/** Parents per query or removal: their ids are one parameter. */
const PARENTS_PER_STATEMENT = 1_000

/** Adds the children of parents that had none. */
export async function addChildren<C>(tx: Transaction, clinic: Clinic, child: ChildTable<C>, children: readonly C[]) {
  await addRows(tx, clinic, child.rows, children)
}

/**
 * Gives each parent exactly these children.
 *
 * @returns the parents whose children were different before.
 */
export async function replaceChildren<C>(
  tx: Transaction,
  clinic: Clinic,
  child: ChildTable<C>,
  children: ReadonlyMap<string, readonly C[]>,
): Promise<Set<string>> {
  const changed = new Set<string>()
  const parents = [...children.keys()].sort()
  for (let at = 0; at < parents.length; at += PARENTS_PER_STATEMENT) {
    const group = parents.slice(at, at + PARENTS_PER_STATEMENT)
    const stored = await storedFingerprints(tx, clinic, child, group)
    const differing = group.filter((id) => {
      const sent = (children.get(id) ?? []).map((record) => fingerprint(child, clinic, record)).sort()
      return sent.join('\n') !== (stored.get(id) ?? []).sort().join('\n')
    })
    await removeChildren(tx, clinic, child, differing)
    await addChildren(
      tx,
      clinic,
      child,
      differing.flatMap((id) => children.get(id) ?? []),
    )
    for (const id of differing) changed.add(id)
  }
  return changed
}

export async function removeChildren<C>(
  tx: Transaction,
  clinic: Clinic,
  { rows, parent }: ChildTable<C>,
  parents: readonly string[],
): Promise<void> {
  if (parents.length === 0) return
  await tx.query(sql`
    delete from ${sql.identifier(rows.name)}
    where clinic_id = ${clinic.clinic_id} and ${sql.identifier(parent)} = any(${parents}::text[])`)
}

async function storedFingerprints<C>(
  tx: Transaction,
  clinic: Clinic,
  { rows, parent, compared }: ChildTable<C>,
  parents: readonly string[],
): Promise<Map<string, string[]>> {
  const columns = compared.map((name) => sql`${sql.identifier(name)}::text`)
  const answer = await tx.query<{ parent: string; fields: (string | null)[] }>(sql`
    select ${sql.identifier(parent)} as parent, array[${sql.join(columns)}] as fields
    from ${sql.identifier(rows.name)}
    where clinic_id = ${clinic.clinic_id} and ${sql.identifier(parent)} = any(${parents}::text[])`)
  const found = new Map<string, string[]>()
  for (const { parent: id, fields } of answer.rows) {
    const known = found.get(id)
    if (known === undefined) found.set(id, [JSON.stringify(fields)])
    else known.push(JSON.stringify(fields))
  }
  return found
}

function fingerprint<C>({ rows, compared }: ChildTable<C>, clinic: Clinic, record: C): string {
  const columns = [...rows.key, ...rows.columns]
  return JSON.stringify(
    compared.map((name) => asText(columns.find((column) => column.name === name)?.value(record, clinic) ?? null)),
  )
}

/** As PostgreSQL's `::text` writes it. */
function asText(value: SqlScalar): string | null {
  return value === null ? null : String(value)
}
