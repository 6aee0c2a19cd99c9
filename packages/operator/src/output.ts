// Prints the output of operator commands: a table for people, JSON for programs (`--json`), one line on standard error for a fault.
// Names and values come from others: characters that would steer the terminal are removed.
import { safeJson, safeText } from '@clinic-data/contract/safe-text'

/** Prints rows as JSON, or as a table with aligned columns. */
export function printRows(rows: readonly object[], columns: readonly string[], json: boolean | undefined): void {
  if (json) printJson(rows)
  else printTable(rows, columns)
}

/** @param to standard error where standard output is for something else. */
export function printJson(value: unknown, to: NodeJS.WriteStream = process.stdout): void {
  to.write(`${safeJson(JSON.stringify(value))}\n`)
}

/** Prints a line of plain text. */
export function printLine(line: string, to: NodeJS.WriteStream = process.stdout): void {
  to.write(`${safeText(line)}\n`)
}

/** Prints a fault, or what else a person should know, in one line. */
export function printFault(line: string): void {
  process.stderr.write(`clinicd: ${safeText(line)}\n`)
}

/** The first line of an error. */
export function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
  return line
}

function printTable(rows: readonly object[], columns: readonly string[]): void {
  const cells = rows.map((row) => columns.map((column) => cell((row as Record<string, unknown>)[column])))
  const widths = columns.map((column, i) => Math.max(column.length, ...cells.map((row) => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `${row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()}\n`
  process.stdout.write(line(columns))
  for (const row of cells) process.stdout.write(line(row))
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return safeText(Array.isArray(value) ? value.join(',') : String(value))
}
