// The answer of a query as a table: groups, totals, and on a terminal a bar beside the first measure.
import type { Row } from '../cells.ts'
import { type Layout, onePage, tableText } from '../table.ts'

/** So many columns of bars tell enough. */
const WIDEST_BAR = 40
/** Fewer tell nothing. */
const NARROWEST_BAR = 8
/** What the other columns take is known once they are printed: the bar has what a third of the terminal gives. */
const BAR_SHARE = 3
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const BAR = 'bar'

interface Groups {
  readonly rows: readonly Row[]
  readonly totals: Row
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  readonly truncated: boolean
  readonly group_count: number
}

/** The table of `data` of a query's answer. */
export async function* queryText(data: Row, layout: Layout, withChart: boolean): AsyncGenerator<string> {
  const { rows, totals, measures, dimensions } = data as unknown as Groups
  const [measure = ''] = measures
  const room = layout.columns === null ? 0 : Math.min(WIDEST_BAR, Math.floor(layout.columns / BAR_SHARE))
  const hasBars = withChart && room >= NARROWEST_BAR && rows.length > 1
  const widest = Math.max(...rows.map((row) => Math.abs(Number(row[measure] ?? 0))))
  const columns = [...dimensions.flatMap((name) => [name, `${name}_label`]), ...measures, ...(hasBars ? [BAR] : [])]
  const groups = hasBars ? rows.map((row) => ({ ...row, [BAR]: barOf(row[measure], widest, room) })) : rows
  // Without a dimension the only row is the total.
  const [first] = dimensions
  const total =
    first === undefined || rows.length === 0
      ? []
      : [{ ...totals, ...named(dimensions, rows), [first]: 'total', [BAR]: '' }]
  yield* tableText(onePage([...groups, ...total]), columns, layout)
}

function named(dimensions: readonly string[], rows: readonly Row[]): Row {
  const labels = dimensions.filter((name) => rows.some((row) => `${name}_label` in row)).map((name) => `${name}_label`)
  return Object.fromEntries([...dimensions, ...labels].map((name) => [name, '']))
}

/** What a table of groups does not say: that there are more. */
export function truncationHint(data: Row): string | null {
  const { rows, truncated, group_count } = data as unknown as Groups
  if (!truncated) return null
  return `there are ${group_count} groups, ${rows.length} are shown: narrow the filters or raise --limit`
}

/** Eighths of a column; what is below zero has a minus before it. */
export function barOf(value: unknown, widest: number, columns: number): string {
  if (typeof value !== 'number' || widest === 0) return ''
  const sign = value < 0 ? '-' : ''
  const eighths = Math.round((Math.abs(value) / widest) * (columns - sign.length) * 8)
  return sign + '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}
