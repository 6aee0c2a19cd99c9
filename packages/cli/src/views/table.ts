// Prints rows as an aligned table, page by page, and one resource as one field per line.

import { safeText } from '@clinic-data/contract/safe-text'
import { cellText, type Row, shortTime, valueAt } from './cells.ts'
import { presentColumns } from './columns.ts'
import { type Fitted, fittedWidths, GUTTER, isOfDigits, shownColumns } from './fit.ts'
import { cutText, loadMeasure, widthOf, wrapped } from './text-width.ts'

export interface Layout {
  /** The width that lines are cut to. Null in a pipe and under `--wide`: there nothing is cut and every id is shown. */
  readonly columns: number | null
  readonly isColoured: boolean
  /** Columns besides ids whose cells must not be cut: names that somebody types again. */
  readonly whole?: readonly string[]
}

/** In a table that does not fit, keeps one long text from pushing out the other columns. */
const WIDEST_CELL = 40

/**
 * Prints the table with one header. Columns are as wide as the first page needs. A later page may widen one, so rows can be printed
 * as they arrive.
 */
export async function* tableText(
  pages: AsyncIterable<readonly Row[]>,
  requested: readonly string[],
  layout: Layout,
): AsyncGenerator<string> {
  let columns: readonly string[] | null = null
  let widths: number[] = []
  let isNumeric: readonly boolean[] = []
  let more = ''
  for await (const rows of pages) {
    const isFirst = columns === null
    columns ??= await chosen(requested, rows, layout)
    let { cells, numeric } = await cellsOf(rows, columns, layout, isFirst ? null : isNumeric)
    if (isFirst) {
      const count =
        layout.columns === null ? columns.length : shownColumns(fittedOf(columns, cells, [], layout), layout.columns)
      if (count < columns.length) more = ' …'
      columns = columns.slice(0, count)
      cells = cells.map((row) => row.slice(0, count))
      numeric = numeric.slice(0, count)
    }
    isNumeric = numeric
    const fitted = fittedOf(columns, cells, widths, layout)
    widths = layout.columns === null ? [...fitted.widths] : fittedWidths(fitted, layout.columns)
    const line = (row: readonly string[]) => lineOf(row, widths, isNumeric, layout)
    if (isFirst && columns.length > 0)
      yield `${emphasized(cutLine(line(columns.map(safeText)) + more, layout), layout)}\n`
    yield cells.map((row) => `${line(row)}\n`).join('')
  }
}

/** The text of every cell. A column that is numeric on the first page stays so. */
async function cellsOf(
  rows: readonly Row[],
  columns: readonly string[],
  layout: Layout,
  isNumeric: readonly boolean[] | null,
) {
  const values = rows.map((row) => columns.map((path) => valueAt(row, path)))
  const numeric = isNumeric ?? columns.map((_, i) => areNumbers(values.map((row) => row[i])))
  const decimals = columns.map((_, i) => (numeric[i] ? decimalsOf(values.map((row) => row[i])) : 0))
  const shown = (value: unknown) => cellText(layout.columns === null ? value : shortTime(value))
  const cells = values.map((row) => row.map((value, i) => numberText(value, decimals[i] ?? 0) ?? shown(value)))
  await loadMeasure(cells.flat())
  return { cells, numeric }
}

/** The needs of each column. `before` holds the widths of the pages that are printed already. */
function fittedOf(
  columns: readonly string[],
  cells: readonly (readonly string[])[],
  before: readonly number[],
  { whole = [] }: Layout,
): Fitted {
  const ofColumn = (i: number) => cells.map((row) => row[i] ?? '')
  const least = columns.map(widthOf)
  return {
    widths: columns.map((_, i) => most(ofColumn(i).map(widthOf), before[i] ?? least[i] ?? 0)),
    least,
    isWhole: columns.map((path, i) => ID.test(path) || whole.includes(path) || isOfDigits(ofColumn(i))),
  }
}

const ID = /(^|[._])id$/
/** The id of an embedded resource. The next command may need it, but a person reads the name. */
const EMBEDDED_ID = /\.id$/

/** Picks the columns of a table. Drops embedded ids when the last of them would be cut off. Columns behind it may be cut. */
async function chosen(requested: readonly string[], rows: readonly Row[], layout: Layout): Promise<readonly string[]> {
  const all = presentColumns(requested, rows)
  const last = all.findLastIndex((path) => EMBEDDED_ID.test(path))
  if (layout.columns === null || last === -1) return all
  const leading = all.slice(0, last + 1).map((path) => [path, ...rows.map((row) => cellText(valueAt(row, path)))])
  await loadMeasure(leading.flat())
  const widths = leading.map((cells) => Math.min(most(cells.map(widthOf), 0), WIDEST_CELL))
  const dots = last < all.length - 1 ? 1 : 0
  const width = widths.reduce((sum, one) => sum + one + GUTTER.length, dots - GUTTER.length)
  return width <= layout.columns ? all : all.filter((path) => !EMBEDDED_ID.test(path))
}

/** Treats the rows as the only page. */
export async function* onePage(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}

/** Prints one resource: each field's name and its full value. */
export async function fieldsText(row: Row, requested: readonly string[], layout: Layout): Promise<string> {
  const columns = presentColumns(requested, [row])
  const values = columns.map((path) => cellText(valueAt(row, path)))
  const width = Math.max('field'.length, ...columns.map(widthOf))
  const line = (name: string, value: string) => `${padded(name, width)}${GUTTER}${value}`.trimEnd()
  const parts = await wrapped(values, layout.columns === null ? null : layout.columns - width - GUTTER.length)
  return [
    emphasized(line('field', 'value'), layout),
    ...columns.flatMap((path, i) => (parts[i] ?? []).map((part, at) => line(at === 0 ? path : '', part))),
    '',
  ].join('\n')
}

function areNumbers(values: readonly unknown[]): boolean {
  const known = values.filter((value) => value !== null && value !== undefined)
  return known.length > 0 && known.every((value) => typeof value === 'number')
}

/** An amount of money is read with two decimals: half a shekel is 0.50. */
const LEAST_DECIMALS = 2

/** All numbers of a column with a fraction are shown with as many decimals, so their points align. */
function decimalsOf(values: readonly unknown[]): number {
  const deepest = most(
    values.map((value) => (typeof value === 'number' ? (String(value).split('.')[1]?.length ?? 0) : 0)),
    0,
  )
  return deepest === 0 ? 0 : Math.max(deepest, LEAST_DECIMALS)
}

/** Not with spread arguments: a call takes only as many as the stack has room for. */
function most(values: readonly number[], least: number): number {
  return values.reduce((highest, value) => Math.max(highest, value), least)
}

function numberText(value: unknown, decimals: number): string | null {
  return typeof value === 'number' && decimals > 0 ? value.toFixed(decimals) : null
}

function lineOf(
  row: readonly string[],
  widths: readonly number[],
  isNumeric: readonly boolean[],
  layout: Layout,
): string {
  const cells = row.map((text, i) => {
    const width = widths[i] ?? 0
    const fitting = layout.columns === null ? text : cutText(text, width)
    return isNumeric[i] ? ' '.repeat(Math.max(0, width - widthOf(fitting))) + fitting : padded(fitting, width)
  })
  return cutLine(cells.join(GUTTER).trimEnd(), layout)
}

function cutLine(line: string, { columns }: Layout): string {
  return columns === null ? line : cutText(line, columns)
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** A heading. */
export function emphasized(line: string, { isColoured }: Layout): string {
  return isColoured ? `\x1b[1m${line}\x1b[0m` : line
}
