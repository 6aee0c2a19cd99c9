// Amounts: whole hundredths in the database, major units in answers.

/** Exact: of all numbers the quotient is the one nearest to the decimal, which prints as that decimal. */
export function majorUnits(minor: number): number
export function majorUnits(minor: number | null): number | null
export function majorUnits(minor: number | null): number | null {
  return minor === null ? null : minor / 100
}
