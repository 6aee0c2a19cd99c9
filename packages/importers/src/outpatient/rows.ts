// Reads the rows of a foreign CSV file by the names of the needed columns. Ignores other columns.

import { CsvUnreadable, readCsv } from '../csv/csv-reader.ts'

/** Null for a row that does not have as many values as the header. */
export type NamedRow<N extends string> = Readonly<Record<N, string>> | null

/**
 * Yields the rows after the header, in groups as they are read.
 *
 * @throws CsvUnreadable also when a column is missing.
 */
export async function* namedRows<N extends string>(path: string, names: readonly N[]): AsyncGenerator<NamedRow<N>[]> {
  let places: readonly number[] | null = null
  let width = 0
  for await (const rows of readCsv(path)) {
    let from = 0
    if (places === null) {
      const [header] = rows
      if (header === undefined) continue
      places = names.map((name) => header.values.indexOf(name))
      width = header.values.length
      const missing = names.filter((name) => !header.values.includes(name))
      if (missing.length > 0) throw new CsvUnreadable(header.line, `has no column ${missing.join(', ')}`)
      from = 1
    }
    const known = places
    yield rows.slice(from).map(({ values, fault }) => {
      if (fault !== null || values.length !== width) return null
      const row = {} as Record<N, string>
      for (const [i, name] of names.entries()) row[name] = values[known[i] ?? -1] ?? ''
      return row
    })
  }
  if (places === null) throw new CsvUnreadable(1, 'has no header')
}
