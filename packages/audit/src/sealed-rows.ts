// The rows of a clinic's audit log by their numbers, wherever they lie: in the table, or packed in segments.
import { type Database, utcSession } from '@clinic-data/database'
import { rowsBehind, type SealedRow } from './audit-chain.ts'
import { canonicalText, momentOf } from './segments/log-row.ts'
import { packedRows } from './segments/read-segments.ts'

export interface RowRange {
  /** Rows with larger numbers. */
  after: number
  upTo: number
  limit: number
}

/** A row is some hundred bytes, and rarely many kilobytes. Fewer rows of a page would open each segment more often. */
const ROWS_OF_A_PAGE = 2_000

/** The rows from `after` (left out) to `upTo`, in the order of their numbers, page after page. */
export async function* rowsBetween(
  database: Pick<Database, 'write'>,
  clinic_id: string,
  after: number,
  upTo: number,
): AsyncGenerator<SealedRow> {
  for (let from = after; ; ) {
    const rows = await sealedRows(database, clinic_id, { after: from, upTo, limit: ROWS_OF_A_PAGE })
    yield* rows
    if (rows.length < ROWS_OF_A_PAGE) return
    from = rows.at(-1)?.id ?? upTo
  }
}

/** The rows in the order of their numbers, with the text that their seals cover. */
export function sealedRows(
  database: Pick<Database, 'write'>,
  clinic_id: string,
  range: RowRange,
): Promise<SealedRow[]> {
  const { after, upTo, limit } = range
  return database.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query<SealedRow>(rowsBehind(clinic_id, after, upTo, limit))
    const packed = await packedRows(tx, clinic_id, range)
    if (packed.length === 0) return rows
    const all = packed.map((row) => ({
      id: row.id,
      day: momentOf(row.stored_us).slice(0, 10),
      content: canonicalText(row),
      duration_ms: row.duration_ms,
    }))
    return [...all, ...rows].sort((a, b) => a.id - b.id).slice(0, limit)
  })
}
