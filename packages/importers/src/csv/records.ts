// Reads the records of a file, each with the rows of its lists. Each list has its own file, in the same order.

import { type Column, type Reading, recordReader } from './columns.ts'
import type { CsvRow } from './csv-reader.ts'
import type { CsvFaults } from './faults.ts'
import { type CsvList, type CsvShape, listThatIsAll } from './shape.ts'
import { openTable } from './table.ts'

export type CsvRecord = Reading & {
  line: number
  /** The lines of the lists' items, by the list's field. */
  lines: Record<string, number[]>
  /** How many rows of its own file it takes. */
  rows: number
  /** In characters. */
  size: number
}

/** The files of a folder, and their ids. */
export type CsvFolder = {
  /** By name, such as `patients.csv`. */
  paths: ReadonlyMap<string, string>
  /** By table: the line of each id. */
  ids: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** The most records in one transaction. Large ones are fewer. */
const BATCH = 1_000
const BATCH_CHARACTERS = 4 * 1024 * 1024

/** Yields the records that can be read, in batches. */
export async function* recordBatches(
  shape: CsvShape,
  folder: CsvFolder,
  faults: CsvFaults,
): AsyncGenerator<CsvRecord[]> {
  let batch: CsvRecord[] = []
  let size = 0
  for await (const group of recordGroups(shape, folder, faults)) {
    for (const record of group) {
      if (batch.length >= BATCH || size >= BATCH_CHARACTERS) {
        yield batch
        batch = []
        size = 0
      }
      batch.push(record)
      size += record.size
    }
  }
  if (batch.length > 0) yield batch
}

/** Adds the times that the file leaves out. */
export function completed({ schema }: CsvShape, record: Record<string, unknown>, now: string): Record<string, unknown> {
  if (schema.properties?.updated_at === undefined) return record
  record.created_at ??= now
  record.updated_at = now
  return record
}

/** As they are read. */
async function* recordGroups(shape: CsvShape, folder: CsvFolder, faults: CsvFaults): AsyncGenerator<CsvRecord[]> {
  const path = folder.paths.get(shape.file)
  if (path === undefined) return
  const all = listThatIsAll(shape)
  if (all !== undefined) return yield* impliedRecords(all, path, faults)
  const table = await openTable({ ...shape, path }, faults)
  if (table === null) return
  const read = recordReader(shape.schema, table.columns)
  const lists = shape.lists.flatMap((list) => ListRows.of(list, shape, folder, faults))
  try {
    for await (const rows of table.rows) {
      const group = rows.map(
        (row): CsvRecord => ({ ...read(row.values), line: row.line, lines: {}, rows: 1, size: sizeOf(row) }),
      )
      for (const list of lists) for (const record of group) await list.addTo(record)
      yield group
    }
    for (const list of lists) await list.finish()
  } finally {
    for (const list of lists) await list.close()
    await table.rows.return(undefined)
  }
}

/** Reads a file without a row for the record as a whole, such as a provider's week. */
async function* impliedRecords(list: CsvList, path: string, faults: CsvFaults): AsyncGenerator<CsvRecord[]> {
  let current: CsvRecord | null = null
  for await (const rows of listRows(list, path, faults)) {
    const whole: CsvRecord[] = []
    for (const row of rows) {
      if (current?.record[list.parent] !== row.parent) {
        if (current !== null) whole.push(current)
        const record: Record<string, unknown> = row.parent === '' ? {} : { [list.parent]: row.parent }
        current = { record, findings: [], line: row.line, lines: {}, rows: 0, size: 0 }
      }
      addItem(current, list, row)
      current.rows += 1
    }
    yield whole
  }
  if (current !== null) yield [current]
}

/** Keeps one item more than allowed, which is enough for the fault: one record may name all rows of a file. */
function addItem(parent: CsvRecord, { field, most }: CsvList, { record, findings, line, size }: ListRow): void {
  const lines = parent.lines[field] ?? []
  if (lines.length > most) return
  parent.lines[field] = lines
  if (lines.length === 0) parent.record[field] = []
  for (const finding of findings) {
    parent.findings.push({ ...finding, place: `/${field}/${lines.length}${finding.place}` })
  }
  ;(parent.record[field] as object[]).push(record)
  lines.push(line)
  parent.size += size
}

function sizeOf({ values }: CsvRow): number {
  return values.reduce((sum, value) => sum + value.length, 0)
}

/** Takes the rows of a list's file, one record after the other. */
class ListRows {
  readonly #list: CsvList
  readonly #shape: CsvShape
  /** By the record's id: its line. */
  readonly #parents: ReadonlyMap<string, number>
  readonly #faults: CsvFaults
  readonly #groups: AsyncGenerator<ListRow[]>
  #group: ListRow[] = []
  #at = 0
  /** The line of the record whose rows are taken. */
  #line = 0

  private constructor(list: CsvList, shape: CsvShape, folder: CsvFolder, faults: CsvFaults, path: string) {
    this.#list = list
    this.#shape = shape
    this.#parents = folder.ids.get(shape.table) ?? new Map()
    this.#faults = faults
    this.#groups = listRows(list, path, faults)
  }

  static of(list: CsvList, shape: CsvShape, folder: CsvFolder, faults: CsvFaults): ListRows[] {
    const path = folder.paths.get(list.file)
    return path === undefined ? [] : [new ListRows(list, shape, folder, faults, path)]
  }

  async addTo(parent: CsvRecord): Promise<void> {
    const { id } = parent.record
    this.#line = parent.line
    for (let row = await this.#next(id); row !== undefined; row = await this.#next(id)) {
      addItem(parent, this.#list, row)
    }
  }

  /** Reports the remaining rows, after all records have got theirs. */
  async finish(): Promise<void> {
    this.#line = Number.POSITIVE_INFINITY
    await this.#next(undefined)
  }

  async close(): Promise<void> {
    await this.#groups.return(undefined)
  }

  /** The next row of this record. Reports and skips rows that can belong to no later record. */
  async #next(id: unknown): Promise<ListRow | undefined> {
    for (;;) {
      const row = this.#group[this.#at]
      if (row === undefined) {
        const { value, done } = await this.#groups.next()
        if (done) return undefined
        this.#group = value
        this.#at = 0
      } else if (row.parent === id) {
        this.#at += 1
        return row
      } else if ((this.#parents.get(row.parent) ?? 0) > this.#line) return undefined
      else {
        this.#tellMisplaced(row)
        this.#at += 1
      }
    }
  }

  #tellMisplaced({ parent, line }: ListRow): void {
    const { file, parent: column } = this.#list
    const detail = this.#parents.has(parent)
      ? `must be next to the other rows with the same value, in the order of ${this.#shape.file}`
      : `must be an id of ${this.#shape.file}`
    if (this.#parents.has(parent) || !this.#faults.cut.has(this.#shape.file))
      this.#faults.add(file, line, column, detail)
  }
}

type ListRow = Reading & { parent: string; line: number; size: number }

async function* listRows(list: CsvList, path: string, faults: CsvFaults): AsyncGenerator<ListRow[]> {
  const table = await openTable({ ...list, path }, faults)
  if (table === null) return
  const owner = table.columns.findIndex(({ name }) => name === list.parent)
  const columns: readonly (Column | undefined)[] = table.columns.map((column, at) =>
    at === owner ? undefined : column,
  )
  const read = recordReader(list.schema, columns)
  try {
    for await (const rows of table.rows) {
      yield rows.map((row) => ({
        ...read(row.values),
        parent: row.values[owner] ?? '',
        line: row.line,
        size: sizeOf(row),
      }))
    }
  } finally {
    await table.rows.return(undefined)
  }
}
