// Checks that all rows named by records exist. A record that names a missing one is refused.

import { type RefusedRow, RefusedRows } from '@clinic-data/changes/writing/refused-rows'
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import type { ReferencedTable } from '@clinic-data/records/storing/record-kind'
import type { RecordsOperation } from '../ingest/ingest-operation.ts'

interface Naming {
  index: number
  place: string
  id: string
}

/** @throws RefusedRows when a record names a row that the clinic does not have. */
export async function requireReferences(
  tx: Transaction,
  { clinic_id }: Clinic,
  { references, table: own }: Pick<RecordsOperation, 'references' | 'table'>,
  records: readonly Record<string, unknown>[],
): Promise<void> {
  const refusals: RefusedRow[] = []
  for (const [table, namings] of namingsByTable(references, records)) {
    const ids = [...new Set(namings.map(({ id }) => id))]
    const { rows } = await tx.query<{ id: string }>(sql`select id from ${sql.identifier(table)}
      where clinic_id = ${clinic_id} and id = any(${ids}::text[])`)
    const known = new Set(rows.map(({ id }) => id))
    if (table === own) for (const { id } of records) known.add(String(id))
    const detail = `must be the id of one of the clinic's: there is no such ${table.replaceAll('_', ' ')}`
    for (const { index, place, id } of namings) {
      if (!known.has(id)) refusals.push({ index, place, code: 'unknown_id', detail })
    }
  }
  if (refusals.length > 0) throw new RefusedRows(refusals.sort((a, b) => a.index - b.index))
}

function namingsByTable(
  references: RecordsOperation['references'],
  records: readonly Record<string, unknown>[],
): Map<ReferencedTable, Naming[]> {
  const namings = new Map<ReferencedTable, Naming[]>()
  for (const [path, table] of Object.entries(references)) {
    const ofTable = namings.get(table) ?? []
    records.forEach((record, index) => {
      for (const naming of namingsAt(record, path.split('.'), '')) ofTable.push({ index, ...naming })
    })
    if (ofTable.length > 0) namings.set(table, ofTable)
  }
  return namings
}

/** A list refers to each of its items. */
function namingsAt(value: unknown, path: readonly string[], place: string): Omit<Naming, 'index'>[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => namingsAt(item, path, `${place}/${at}`))
  const [name, ...rest] = path
  if (name === undefined) return typeof value === 'string' ? [{ place, id: value }] : []
  if (typeof value !== 'object' || value === null) return []
  return namingsAt((value as Record<string, unknown>)[name], rest, `${place}/${name}`)
}
