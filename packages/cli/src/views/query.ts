// Prints the answer of a query as a table: groups, totals, and on a terminal a bar for the first measure.
import type { Row } from './cells.ts'
import { type Layout, onePage, tableText } from './table.ts'

/** A wider bar shows no more. */
const WIDEST_BAR = 40
/** A narrower bar shows nothing. */
const NARROWEST_BAR = 8
/** The bar gets a third of the terminal. The width of the other columns is known only once they are printed. */
const BAR_SHARE = 3
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const BAR = 'bar'

interface Groups extends Row {
  readonly rows: readonly Row[]
  readonly totals: Row
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  readonly truncated: boolean
  readonly group_count: number
}

/** The `data` of a query's answer. The contract gives it this form, and the service keeps to it. */
function groupsOf(data: Row): Groups {
  return data as Groups
}

/** Prints the `data` of a query's answer. */
export async function* queryText(data: Row, layout: Layout, withChart: boolean): AsyncGenerator<string> {
  const { rows, totals, measures, dimensions } = groupsOf(data)
  const [measure = ''] = measures
  const room = layout.columns === null ? 0 : Math.min(WIDEST_BAR, Math.floor(layout.columns / BAR_SHARE))
  const hasBars = withChart && room >= NARROWEST_BAR && rows.length > 1
  const widest = Math.max(...rows.map((row) => Math.abs(Number(row[measure] ?? 0))))
  const columns = [...groupColumns(data), ...(hasBars ? [BAR] : [])]
  const groups = hasBars ? rows.map((row) => ({ ...row, [BAR]: barOf(row[measure], widest, room) })) : rows
  // Without a dimension the only row is the total.
  const [first] = dimensions
  const total =
    first === undefined || rows.length === 0
      ? []
      : [{ ...totals, ...emptyLabels(dimensions, rows), [first]: 'total', [BAR]: '' }]
  yield* tableText(onePage([...groups, ...total]), columns, layout)
}

/** Its dimensions with their names, then its measures. */
export function groupColumns(data: Row): readonly string[] {
  const { measures, dimensions } = groupsOf(data)
  return [...dimensions.flatMap((name) => [name, `${name}_label`]), ...measures]
}

function emptyLabels(dimensions: readonly string[], rows: readonly Row[]): Row {
  const labels = dimensions.filter((name) => rows.some((row) => `${name}_label` in row)).map((name) => `${name}_label`)
  return Object.fromEntries([...dimensions, ...labels].map((name) => [name, '']))
}

/** Says so if there are more groups than the table shows. */
export function truncationHint(data: Row): string | null {
  const { rows, truncated, group_count } = groupsOf(data)
  if (!truncated) return null
  return `there are ${group_count} groups, ${rows.length} are shown: narrow the filters or raise --limit`
}

/** Draws a bar in eighths of a column. A negative value gets a minus in front. */
export function barOf(value: unknown, widest: number, columns: number): string {
  if (typeof value !== 'number' || widest === 0) return ''
  const sign = value < 0 ? '-' : ''
  const eighths = Math.round((Math.abs(value) / widest) * (columns - sign.length) * 8)
  return sign + '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}
