// Fits the columns of a table into a terminal: long texts give way, and what consists of digits is shown whole or not at all.

/** The columns of a table that is being fitted. */
export interface Fitted {
  /** Each column needs so much. */
  readonly widths: readonly number[]
  /** Each column needs so much for its name. */
  readonly least: readonly number[]
  /** Columns whose cells must not be cut. */
  readonly isWhole: readonly boolean[]
}

export const GUTTER = '  '

/** Numbers, phones, days and times: a part of one is another one. */
const DIGITS = /^[+-]?\d[\d.,:() -]*Z?$/

export function isOfDigits(cells: readonly string[]): boolean {
  return cells.some((cell) => DIGITS.test(cell)) && cells.every((cell) => cell === '-' || DIGITS.test(cell))
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GUTTER.length, -GUTTER.length)
}

/** Fewer columns with names that can be read are better than more without. */
const READABLE = 16

/** Takes the missing room from the widest texts, down to what can still be read. */
export function fittedWidths({ widths, least, isWhole }: Fitted, columns: number): number[] {
  const fitted = [...widths]
  for (let missing = lineWidth(fitted) - columns; missing > 0; missing--) {
    let widest = -1
    for (const [i, width] of fitted.entries()) {
      if (!isWhole[i] && width > Math.max(least[i] ?? 0, READABLE) && width > (fitted[widest] ?? 0)) widest = i
    }
    if (widest === -1) return fitted
    fitted[widest] = (fitted[widest] ?? 0) - 1
  }
  return fitted
}

/** How many columns are shown: those before the first that would be cut and must not be, or of which nothing would be seen. */
export function shownColumns(fitted: Fitted, columns: number): number {
  const widths = fittedWidths(fitted, columns)
  const endOf = (i: number) => lineWidth(widths.slice(0, i + 1))
  const isLost = (i: number) => (fitted.isWhole[i] ? endOf(i) > columns : endOf(i - 1) + GUTTER.length >= columns)
  const first = widths.findIndex((_, i) => i > 0 && isLost(i))
  return first === -1 ? widths.length : first
}
