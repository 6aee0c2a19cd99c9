// The first reading of a folder's files: counts the rows, collects their ids and finds duplicates.

import { type CsvRow, ownText } from './csv-reader.ts'
import { CsvFaults } from './faults.ts'
import type { CsvFolder } from './records.ts'
import { type CsvList, type CsvShape, csvShapes, listThatIsAll, namesItself } from './shape.ts'
import { openTable } from './table.ts'

export type CsvSurvey = CsvFolder & {
  /** By file. Counts only rows that can be read. */
  rows: ReadonlyMap<string, number>
  /** Ids of rows that name another row of the same file. They are stored after it. */
  naming: ReadonlyMap<string, ReadonlySet<string>>
}

/** A Map holds hardly more. At 100 bytes each they take 1.6 GB. */
const MOST_ROWS = 16_000_000

/** @param faults gets the duplicates. Reading the records reports the other faults. */
export async function surveyOf(
  paths: ReadonlyMap<string, string>,
  faults: CsvFaults,
  onRows: (rows: number) => void,
): Promise<CsvSurvey> {
  const survey = { paths, ids: new Map(), rows: new Map<string, number>(), naming: new Map() }
  for (const shape of csvShapes) {
    const all = listThatIsAll(shape)
    for (const source of all === undefined ? [shape, ...shape.lists] : [all]) {
      const path = paths.get(source.file)
      if (path === undefined) continue
      const { ids, rows, naming } = await surveyed(source, path, faults, onRows)
      survey.rows.set(source.file, rows)
      if (isNamed(source)) survey.ids.set(source.table, ids)
      if (naming.size > 0) survey.naming.set(source.table, naming)
    }
  }
  return survey
}

/** Whether another file names ids of the table. If so they are kept to the end. */
function isNamed({ table, file }: CsvShape | CsvList): boolean {
  const all: (CsvShape | CsvList)[] = csvShapes.flatMap((shape) => [shape, ...shape.lists])
  const isReferenced = all.some(({ references }) => Object.values(references).includes(table))
  return isReferenced || csvShapes.some((shape) => shape.file === file && shape.lists.length > 0)
}

async function surveyed(
  source: CsvShape | CsvList,
  path: string,
  faults: CsvFaults,
  onRows: (rows: number) => void,
): Promise<{ ids: Map<string, number>; rows: number; naming: Set<string> }> {
  const unheard = new CsvFaults()
  const opened = await openTable({ ...source, path }, unheard)
  const columnsOf = (names: readonly string[]): Columns => ({
    file: source.file,
    names,
    faults,
    places: names.map((name) => opened?.columns.findIndex((column) => column.name === name) ?? -1),
  })
  const [key, ...unique] = [source.key, ...source.unique].map((names) => new Distinct(columnsOf(names)))
  const together = new Neighbours(columnsOf('parent' in source && isAll(source) ? [source.parent] : []))
  const { places } = columnsOf(['id', namesItself(source) ?? ''])
  const [id = -1, own = -1] = places
  const naming = new Set<string>()
  let count = 0
  for await (const rows of opened?.rows ?? []) {
    for (const row of rows) {
      key?.take(row)
      for (const one of unique) one.take(row)
      together.take(row)
      if (own !== -1 && row.values[own] !== '') naming.add(ownText(row.values[id] ?? ''))
    }
    count += rows.length
    if (count > MOST_ROWS) {
      throw new Error(`${source.file} has more than ${MOST_ROWS} rows: import it in parts, from several folders`)
    }
    onRows(rows.length)
  }
  for (const file of unheard.cut) faults.cut.add(file)
  return { ids: key?.seen ?? new Map(), rows: count, naming }
}

function isAll(list: CsvList): boolean {
  return csvShapes.some((shape) => listThatIsAll(shape) === list)
}

/** Some columns of a file with their positions in a row. -1 for a column that the file lacks. */
type Columns = { file: string; names: readonly string[]; places: readonly number[]; faults: CsvFaults }

/** Columns whose values together must be unique. */
class Distinct {
  /** By the values: their line. */
  readonly seen = new Map<string, number>()
  readonly #columns: Columns

  constructor(columns: Columns) {
    this.#columns = columns
  }

  take({ values, line }: CsvRow): void {
    const { file, names, places, faults } = this.#columns
    const own = places.map((at) => values[at] ?? '')
    // An empty value is unknown, and equals no other.
    if (own.length === 0 || own.includes('')) return
    const name = own.length === 1 ? (own[0] ?? '') : JSON.stringify(own)
    const before = this.seen.get(name)
    if (before === undefined) {
      this.seen.set(ownText(name), line)
      return
    }
    const others = names.length > 1 ? `, with the same ${names.slice(0, -1).join(', ')}` : ''
    faults.add(file, line, names.at(-1) ?? null, `is in line ${before} already${others}`)
  }
}

/** A column whose equal values must stand in consecutive rows. */
class Neighbours {
  readonly #columns: Columns
  readonly #seen = new Set<string>()
  #current: string | undefined

  constructor(columns: Columns) {
    this.#columns = columns
  }

  take({ values, line }: CsvRow): void {
    const { file, names, places, faults } = this.#columns
    const [place] = places
    const value = place === undefined ? undefined : values[place]
    if (value === undefined || value === this.#current) return
    this.#current = ownText(value)
    if (this.#seen.has(value))
      faults.add(file, line, names[0] ?? null, 'must be next to the other rows with the same value')
    this.#seen.add(this.#current)
  }
}
