// The shapes of a chart as SVG paths. Each point has a place of width 1, and everything has the height 1, from the top.

type Values = readonly (number | null)[]
/** Where a figure stands, from 0 at the top to 1. */
type Level = (value: number) => number

/** A line. It does not pass over points that have no figure. */
export function linePath(values: Values, level: Level): string {
  const at = (n: number, value: number) => `${n + 0.5} ${level(value)}`
  return values
    .map((value, n) =>
      value === null ? '' : `${n > 0 && (values[n - 1] ?? null) !== null ? 'L' : 'M'}${at(n, value)}`,
    )
    .join('')
}

/** Lines without a length: round ends make them dots, also where the drawing is stretched. */
export function dotPath(values: Values, level: Level): string {
  return values.map((value, n) => (value === null ? '' : `M${n + 0.5} ${level(value)}h0`)).join('')
}

/** A bar fills this part of its point's place. The rest keeps the bars apart. */
const FILLED = 0.8
/** A bar is at most this part of the whole drawing: few bars are no walls. */
const WIDEST = 0.05

/** Where bars stand: on those below them, or one beside another. */
type Place = { readonly below: readonly Values[] } | { readonly beside: { readonly at: number; readonly of: number } }

export function barPath(values: Values, level: Level, place: Place): string {
  const { at, of } = 'beside' in place ? place.beside : { at: 0, of: 1 }
  const below = 'below' in place ? place.below : []
  const width = Math.min(FILLED / of, WIDEST * values.length)
  const start = 0.5 + (at - of / 2) * width
  return values
    .map((value, n) => {
      if (value === null || value === 0) return ''
      const base = below.reduce((sum, one) => sum + (one[n] ?? 0), 0)
      return `M${n + start} ${level(base)}V${level(base + value)}h${width}V${level(base)}Z`
    })
    .join('')
}
