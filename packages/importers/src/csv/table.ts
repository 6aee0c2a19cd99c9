// Reads the rows of a file: matches its header with the known columns, and requires as many values in each row.

import type { Column } from './columns.ts'
import { type CsvRow, CsvUnreadable, readCsv } from './csv-reader.ts'
import type { CsvFaults } from './faults.ts'

/** The columns in the order of the file. */
export type CsvTable = { columns: readonly Column[]; rows: AsyncGenerator<CsvRow[]> }

export type CsvSource = { file: string; path: string; columns: readonly Column[] }

/**
 * @param faults gets the faults. Rows that cannot be read are left out.
 * @returns null for a file without a usable header.
 */
export async function openTable(source: CsvSource, faults: CsvFaults): Promise<CsvTable | null> {
  const groups = readCsv(source.path)
  const first = await nextGroup(groups, source, faults)
  const [header, ...rest] = first ?? []
  if (header === undefined) {
    if (first !== null) faults.addLast(source.file, 1, null, 'has no header')
    return null
  }
  const columns = columnsOf(header, source, faults)
  if (columns === null) {
    await groups.return(undefined)
    return null
  }
  return { columns, rows: soundRows(rest, groups, { ...source, columns }, faults) }
}

/** The next group of rows. Empty at the end of the file, null when the rest cannot be read. */
async function nextGroup(
  groups: AsyncGenerator<CsvRow[]>,
  { file }: CsvSource,
  faults: CsvFaults,
): Promise<CsvRow[] | null> {
  try {
    for (;;) {
      const { value, done } = await groups.next()
      if (done) return []
      if (value.length > 0) return value
    }
  } catch (error) {
    if (!(error instanceof CsvUnreadable)) throw error
    faults.addLast(file, error.line, null, error.message)
    return null
  }
}

async function* soundRows(
  first: CsvRow[],
  groups: AsyncGenerator<CsvRow[]>,
  source: CsvSource,
  faults: CsvFaults,
): AsyncGenerator<CsvRow[]> {
  const { file, columns } = source
  const isSound = ({ line, values, fault }: CsvRow) => {
    if (fault !== null) faults.add(file, line, null, fault)
    else if (values.length !== columns.length) {
      faults.add(file, line, null, `must have ${columns.length} values, as the header has; it has ${values.length}`)
    } else return true
    return false
  }
  try {
    for (let group: CsvRow[] | null = first; group !== null; group = await nextGroup(groups, source, faults)) {
      if (group.length === 0 && group !== first) return
      yield group.filter(isSound)
    }
  } finally {
    await groups.return(undefined)
  }
}

/** Null when the header is wrong. All its faults have been reported. */
function columnsOf({ line, values, fault }: CsvRow, { file, columns }: CsvSource, faults: CsvFaults): Column[] | null {
  const wrong: [column: string | null, detail: string][] = fault === null ? [] : [[null, fault]]
  const found = values.map((name) => columns.find((one) => one.name === name))
  if (found.every((column) => column === undefined)) {
    // It may be a row of patients' data instead of a header: nothing of it is shown.
    const separated = values.length === 1 && /[;\t]/.test(values[0] ?? '')
    wrong.push([
      null,
      separated ? 'must have commas between its values' : 'is no header: it names no column of this file',
    ])
  } else {
    found.forEach((column, at) => {
      const name = values[at] ?? ''
      if (column === undefined) wrong.push([shown(name), 'is not a column of this file'])
      else if (found.indexOf(column) < at) wrong.push([name, 'stands in the header twice'])
    })
    for (const column of columns) {
      if (!column.optional && !found.includes(column)) wrong.push([column.name, 'is missing'])
    }
  }
  for (const [column, detail] of wrong) faults.addLast(file, line, column, detail)
  return wrong.length > 0 ? null : found.filter((column) => column !== undefined)
}

/** Long enough to recognise the column. */
const SHOWN_NAME = 40

/** Makes a name from a foreign file safe for a terminal. */
function shown(name: string): string {
  return name.slice(0, SHOWN_NAME).replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
}
