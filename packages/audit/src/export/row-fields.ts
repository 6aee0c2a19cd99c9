// The fields of an audit row, as its canonical text has them. The text alone is what a seal hashes, so each field is derived from it.
import { type CanonicalRow, canonicalRow } from '../segments/log-row.ts'
import { type Named, namedIn } from '../stored-ids.ts'

export type RowFields = Omit<CanonicalRow, 'resource_ids'> & Named

/** Null for a text that is no row. */
export function fieldsOf(canonical: string): RowFields | null {
  const row = canonicalRow(canonical)
  return row === null ? null : { ...row, ...namedIn(row.resource_ids) }
}
