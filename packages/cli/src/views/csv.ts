// Prints rows as CSV for a spreadsheet, page by page. Every cell is whole, and none is a formula.
import { spreadsheetCell } from '@clinic-data/contract/spreadsheet-cell'
import { cellText, NOTHING, type Row, valueAt } from './cells.ts'
import { presentColumns } from './columns.ts'

/** With the mark by which Excel knows UTF-8. */
const BEGINNING = '\uFEFF'
/** Those of RFC 4180. */
const LINE_END = '\r\n'

/** The columns are those of the first page. */
export async function* csvText(
  pages: AsyncIterable<readonly Row[]>,
  requested: readonly string[],
): AsyncGenerator<string> {
  let columns: readonly string[] | null = null
  for await (const rows of pages) {
    if (columns === null) {
      columns = presentColumns(requested, rows)
      yield `${BEGINNING}${lineOf(columns)}`
    }
    const shown = columns
    yield rows.map((row) => lineOf(shown.map((path) => valueAt(row, path)))).join('')
  }
}

function lineOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}${LINE_END}`
}

/** A number stays one. What a table shows as `-` is empty. */
function cellOf(value: unknown): string {
  if (typeof value === 'number') return spreadsheetCell(value)
  const text = cellText(value)
  return spreadsheetCell(text === NOTHING && value !== NOTHING ? '' : text)
}
