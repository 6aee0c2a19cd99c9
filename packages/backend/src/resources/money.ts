// Converts amounts: they are whole hundredths in the database and major units in answers.

/** Exact, because the quotient is the number nearest to the decimal and so prints as that decimal. */
export function majorUnits(minor: number): number
export function majorUnits(minor: number | null): number | null
export function majorUnits(minor: number | null): number | null {
  return minor === null ? null : minor / 100
}

/** Exact for an amount with at most two decimals, because the nearest whole number is then the intended one. */
export function minorUnits(major: number): number
export function minorUnits(major: number | null): number | null
export function minorUnits(major: number | null): number | null {
  return major === null ? null : Math.round(major * 100)
}
