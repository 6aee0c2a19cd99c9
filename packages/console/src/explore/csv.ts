// The answer as CSV for a spreadsheet.
import { spreadsheetCell } from '@clinic-data/contract/spreadsheet-cell'

/** With the mark by which Excel knows UTF-8, and the line ends of RFC 4180. */
export function csvOf(
  header: readonly string[],
  rows: readonly (readonly (string | number | boolean | null)[])[],
): string {
  return `\uFEFF${[header, ...rows].map((row) => `${row.map(spreadsheetCell).join(',')}\r\n`).join('')}`
}
