// Which columns the rows of an answer have.
import type { Row } from './cells.ts'

/** Without columns: every field of the rows. Fields that no row has belong to the detailed form of the answer, and are left out. */
export function presentColumns(requested: readonly string[], rows: readonly Row[]): readonly string[] {
  if (requested.length === 0) return [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (rows.length === 0) return requested
  return requested.filter((path) => rows.some((row) => (path.split('.')[0] ?? path) in row))
}
