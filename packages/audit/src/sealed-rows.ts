// The one way to a clinic's audit rows as the seals hash them, in pages.
import { type Database, utcSession } from '@clinic-data/database'
import { rowsBehind, type SealedRow } from './audit-chain.ts'

export interface RowRange {
  /** The rows with a greater id. */
  after: number
  upTo: number
  limit: number
}

/** @returns the first rows of the range, in the order of their ids. Fewer than `limit`: the range has no more. */
export function sealedRows(
  database: Database,
  clinic_id: string,
  { after, upTo, limit }: RowRange,
): Promise<SealedRow[]> {
  return database.read<SealedRow>(utcSession(clinic_id), rowsBehind(clinic_id, after, upTo, limit))
}
