// What operator commands print: a table for people, JSON for programs (`--json`).

/** Prints rows as JSON, or as a table with aligned columns. */
export function printRows(rows: readonly object[], columns: readonly string[], json: boolean | undefined): void {
  if (json) printJson(rows)
  else printTable(rows, columns)
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
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
  // What would break the table, or speak to the terminal, shows as a space.
  return (Array.isArray(value) ? value.join(',') : String(value)).replaceAll(/\p{Cc}+/gu, ' ')
}
