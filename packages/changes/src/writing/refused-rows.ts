// Rows from a clinic's own systems that a rule refuses: thrown together, so that all can be mended at once.

/** One fault of one row. */
export interface RefusedRow {
  /** The row's index among the given ones, from 0. */
  readonly index: number
  /** JSON pointer within the row: `/amount`. */
  readonly place: string
  /** The rule, for programs. */
  readonly code: string
  /** How to mend the row. Quotes nothing of it. */
  readonly detail: string
}

/** Nothing of the transaction was done. */
export class RefusedRows extends Error {
  readonly rows: readonly RefusedRow[]

  constructor(rows: readonly RefusedRow[]) {
    super(`refused rows: ${[...new Set(rows.map(({ place, code }) => `${place} ${code}`))].join(', ')}`)
    this.rows = rows
  }
}
