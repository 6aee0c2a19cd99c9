// Prints rows as an aligned table, page by page, and one resource as one field per line.

import { safeText } from '@clinic-data/contract/safe-text'
import { cellText, type Row, valueAt } from './cells.ts'
import { cutText, loadMeasure, widthOf } from './text-width.ts'

export interface Layout {
  /** The width that lines are cut to. Null in a pipe and under `--wide`: there nothing is cut and every id is shown. */
  readonly columns: number | null
  readonly isColoured: boolean
}

const GUTTER = '  '
/** In a table that does not fit, keeps one long text from pushing out the other columns. */
const WIDEST_CELL = 40

/**
 * Prints the table with one header. Columns are as wide as the first page needs. A later page may widen one, so rows can be printed
 * as they arrive.
 */
export async function* tableText(
  pages: AsyncIterable<readonly Row[]>,
  given: readonly string[],
  layout: Layout,
): AsyncGenerator<string> {
  let columns: readonly string[] | null = null
  let widths: number[] = []
  let isNumeric: readonly boolean[] = []
  for await (const rows of pages) {
    const isFirst = columns === null
    columns ??= await chosen(given, rows, layout)
    const shown = columns
    const values = rows.map((row) => shown.map((path) => valueAt(row, path)))
    if (isFirst) {
      widths = shown.map(widthOf)
      isNumeric = shown.map((_, i) => areNumbers(values.map((row) => row[i])))
    }
    const decimals = shown.map((_, i) => (isNumeric[i] ? decimalsOf(values.map((row) => row[i])) : 0))
    const cells = values.map((row) => row.map((value, i) => numberText(value, decimals[i] ?? 0) ?? cellText(value)))
    await loadMeasure(cells.flat())
    widths = capped(
      widths.map((width, i) =>
        most(
          cells.map((row) => widthOf(row[i] ?? '')),
          width,
        ),
      ),
      layout,
    )
    const line = (row: readonly string[]) => lineOf(row, widths, isNumeric, layout)
    if (isFirst && shown.length > 0) yield `${emphasized(line(shown.map(safeText)), layout)}\n`
    yield cells.map((row) => `${line(row)}\n`).join('')
  }
}

/** The id of an embedded resource. The next command may need it, but a person reads the name. */
const EMBEDDED_ID = /\.id$/

/** Picks the columns of a table. Drops embedded ids when the last of them would be cut off. Columns behind it may be cut. */
async function chosen(given: readonly string[], rows: readonly Row[], layout: Layout): Promise<readonly string[]> {
  const all = given.length > 0 ? present(given, rows) : [...new Set(rows.flatMap((row) => Object.keys(row)))]
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
export function fieldsText(row: Row, given: readonly string[], layout: Layout): string {
  const columns = given.length > 0 ? present(given, [row]) : Object.keys(row)
  const width = Math.max('field'.length, ...columns.map(widthOf))
  const line = (name: string, value: string) => `${padded(name, width)}${GUTTER}${value}`.trimEnd()
  return [
    emphasized(line('field', 'value'), layout),
    ...columns.map((path) => line(path, cellText(valueAt(row, path)))),
    '',
  ].join('\n')
}

/** Drops fields that no row has: they belong to the detailed form of the answer. */
function present(columns: readonly string[], rows: readonly Row[]): readonly string[] {
  if (rows.length === 0) return columns
  return columns.filter((path) => rows.some((row) => (path.split('.')[0] ?? path) in row))
}

function areNumbers(values: readonly unknown[]): boolean {
  const given = values.filter((value) => value !== null && value !== undefined)
  return given.length > 0 && given.every((value) => typeof value === 'number')
}

/** The most decimals in a column. All its numbers are shown with as many, so their points align. */
function decimalsOf(values: readonly unknown[]): number {
  return most(
    values.map((value) => (typeof value === 'number' ? (String(value).split('.')[1]?.length ?? 0) : 0)),
    0,
  )
}

/** Not with spread arguments: a call takes only as many as the stack has room for. */
function most(values: readonly number[], least: number): number {
  return values.reduce((highest, value) => Math.max(highest, value), least)
}

function numberText(value: unknown, decimals: number): string | null {
  return typeof value === 'number' && decimals > 0 ? value.toFixed(decimals) : null
}

function capped(widths: readonly number[], { columns }: Layout): number[] {
  const whole = widths.reduce((sum, width) => sum + width + GUTTER.length, -GUTTER.length)
  return columns === null || whole <= columns ? [...widths] : widths.map((width) => Math.min(width, WIDEST_CELL))
}

function lineOf(
  row: readonly string[],
  widths: readonly number[],
  isNumeric: readonly boolean[],
  { columns }: Layout,
): string {
  const cells = row.map((text, i) => {
    const width = widths[i] ?? 0
    const fitting = columns === null ? text : cutText(text, width)
    return isNumeric[i] ? ' '.repeat(Math.max(0, width - widthOf(fitting))) + fitting : padded(fitting, width)
  })
  const line = cells.join(GUTTER).trimEnd()
  return columns === null ? line : cutText(line, columns)
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** A heading. */
export function emphasized(line: string, { isColoured }: Layout): string {
  return isColoured ? `\x1b[1m${line}\x1b[0m` : line
}
