// Prints the answer of a query as a table: groups, totals, and on a terminal a bar for the first measure.
import { stripVTControlCharacters } from 'node:util'
import type { Dataset } from '@clinic-data/contract/analytics/dataset'
import { datasets } from '@clinic-data/contract/analytics/datasets'
import type { Row } from './cells.ts'
import { GUTTER } from './fit.ts'
import { type Layout, onePage, tableText } from './table.ts'
import { widthOf } from './text-width.ts'

/** A wider bar shows no more. */
const WIDEST_BAR = 40
/** A narrower bar shows nothing. */
const NARROWEST_BAR = 8
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const BAR = 'bar'

interface Groups extends Row {
  readonly dataset: string
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
export async function* queryText(data: Row, around: Layout, withChart: boolean): AsyncGenerator<string> {
  const { rows, totals, measures, dimensions } = groupsOf(data)
  const layout = { ...around, whole: dimensions }
  const [measure = ''] = measures
  const columns = layout.columns === null ? groupColumns(data) : readableColumns(data)
  const [first] = columns
  // Without a dimension the only row is the total.
  const total =
    first === undefined || dimensions.length === 0 || rows.length === 0
      ? []
      : [{ ...totals, ...emptyLabels(dimensions, rows), [first]: 'total', [BAR]: '' }]
  const plain = await textOf(tableText(onePage([...rows, ...total]), columns, layout))
  const room = withChart && rows.length > 1 ? roomBeside(plain, layout) : 0
  if (room < NARROWEST_BAR) return yield plain
  const widest = Math.max(...rows.map((row) => Math.abs(Number(row[measure] ?? 0))))
  const groups = rows.map((row) => ({ ...row, [BAR]: barOf(row[measure], widest, room) }))
  yield* tableText(onePage([...groups, ...total]), [...columns, BAR], layout)
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}

/** How wide a bar may be beside the table. */
function roomBeside(table: string, { columns, isColoured }: Layout): number {
  if (columns === null) return 0
  const lines = (isColoured ? stripVTControlCharacters(table) : table).split('\n')
  return Math.min(WIDEST_BAR, columns - Math.max(...lines.map(widthOf)) - GUTTER.length)
}

/** Its dimensions with their names, then its measures. */
export function groupColumns(data: Row): readonly string[] {
  const { dataset, measures, dimensions } = groupsOf(data)
  const registry: Readonly<Record<string, Dataset>> = datasets
  const known = registry[dataset]?.dimensions
  // A dimension that only a newer service knows may have names.
  const isUnnamed = (name: string) => known?.[name] !== undefined && known[name].labelled === undefined
  return [...dimensions.flatMap((name) => (isUnnamed(name) ? [name] : [name, `${name}_label`])), ...measures]
}

/** The names of its groups, its measures, and last the ids of what has names: a person needs them for the next filter alone. */
function readableColumns(data: Row): readonly string[] {
  const { rows, measures, dimensions } = groupsOf(data)
  const isNamed = (name: string) => rows.some((row) => `${name}_label` in row)
  const names = dimensions.flatMap((name) => (isNamed(name) ? [`${name}_label`] : [name]))
  return [...names, ...measures, ...dimensions.filter(isNamed)]
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
