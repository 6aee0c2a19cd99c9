// The second reading of a folder's files: checks each record by its schema, its rules and the ids that it names.

import type { Clinic } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { formsOfExternalId } from '@clinic-data/records/resources/hidden-text'
import { canBeErased, selectErased } from '@clinic-data/records/storing/erased-records'
import type { CsvFaults } from './faults.ts'
import { ClinicIds, ownedName, ownersOf } from './known.ts'
import { type CsvRecord, completed, recordBatches } from './records.ts'
import { type CsvList, type CsvShape, fileOf } from './shape.ts'
import type { CsvSurvey } from './survey.ts'

/** A record, or an item of its lists, with its place. */
type Placed = { source: CsvShape | CsvList; record: Readonly<Record<string, unknown>>; line: number }

type Naming = { source: CsvShape | CsvList; line: number; column: string; table: string; id: string }

export class CsvCheck {
  readonly #database: Database
  readonly #clinic: Clinic
  readonly #survey: CsvSurvey
  readonly #faults: CsvFaults
  readonly #now: string
  readonly #stored: ClinicIds

  constructor(parts: { database: Database; clinic: Clinic; survey: CsvSurvey; faults: CsvFaults; now: string }) {
    this.#database = parts.database
    this.#clinic = parts.clinic
    this.#survey = parts.survey
    this.#faults = parts.faults
    this.#now = parts.now
    this.#stored = new ClinicIds(parts.database, parts.clinic)
  }

  /** Reports all faults of the records of a file and of its lists. */
  async file(shape: CsvShape, onRows: (rows: number) => void): Promise<void> {
    for await (const batch of recordBatches(shape, this.#survey, this.#faults)) {
      const erased = await this.#erasedAmong(shape, batch)
      const sound = batch.filter((one) => this.#isSound(shape, one) && !erased.has(String(one.record.id)))
      const placed = sound.flatMap((one) => placedOf(shape, one))
      await this.#checkReferences(placed)
      for (const source of [shape, ...shape.lists]) {
        const own = placed.filter((one) => one.source === source)
        for (const columns of source.unique) await this.#checkUnique(source, columns, own)
      }
      onRows(batch.reduce((sum, { rows }) => sum + rows, 0))
    }
  }

  /** Nothing of these is stored: what they name may be gone with them. */
  async #erasedAmong({ table }: CsvShape, batch: readonly CsvRecord[]): Promise<ReadonlySet<string>> {
    if (!canBeErased(table)) return new Set()
    const ids = batch.map(({ record }) => String(record.id))
    const rows = await this.#database.read<{ id: string }>(this.#clinic, selectErased(this.#clinic, table, ids))
    return new Set(rows.map(({ id }) => id))
  }

  #isSound(shape: CsvShape, { record, findings, line, lines }: CsvRecord): boolean {
    const found = [...findings, ...shape.check(completed(shape, record, this.#now), this.#clinic)]
    for (const { place, detail } of found) {
      const list = shape.lists.find(({ field }) => place === `/${field}` || place.startsWith(`/${field}/`))
      if (list === undefined) this.#faults.add(shape.file, line, columnAt(shape, place), detail)
      else {
        const [, , index = '0', ...rest] = place.split('/')
        const column = columnAt(list, ['', ...rest].join('/'))
        this.#faults.add(list.file, lines[list.field]?.[Number(index)] ?? line, column, detail)
      }
    }
    return found.length === 0
  }

  async #checkReferences(placed: readonly Placed[]): Promise<void> {
    const { naming } = this.#survey
    const unknown: Naming[] = []
    for (const { source, record, line } of placed) {
      for (const [column, table] of Object.entries(source.references)) {
        for (const id of idsAt(record, column)) {
          if (table === source.table && naming.get(table)?.has(id)) {
            this.#faults.add(source.file, line, column, `must name a row whose own ${column} is empty`)
          }
          if (!this.#isKnown(table, id)) unknown.push({ source, line, column, table, id })
        }
      }
    }
    for (const [table, named] of Map.groupBy(unknown, (one) => one.table)) {
      await this.#stored.ask(table, new Set(named.map(({ id }) => id)))
    }
    for (const { source, line, column, table, id } of unknown) {
      if (this.#isKnown(table, id)) continue
      const file = fileOf(table)
      const detail = file === undefined ? `a ${words(table)} of the clinic` : `a row of ${file}, or of the clinic`
      this.#faults.add(source.file, line, column, `must be the id of ${detail}`)
    }
  }

  /** The ids of a file that was not read to its end are unknown. */
  #isKnown(table: string, id: string): boolean {
    return (
      this.#survey.ids.get(table)?.has(id) || this.#stored.has(table, id) || this.#faults.cut.has(fileOf(table) ?? '')
    )
  }

  /** Checks against the clinic's rows. The first reading has checked the file itself. */
  async #checkUnique(source: CsvShape | CsvList, columns: readonly string[], placed: readonly Placed[]): Promise<void> {
    const filled = placed
      .map(({ record, line }) => ({ id: record.id, line, values: columns.map((column) => record[column]) }))
      .filter(({ values }) => !values.includes(null))
    if (filled.length === 0) return
    const formsOf = (values: readonly unknown[]) =>
      columns.join() === 'external_id'
        ? formsOfExternalId(this.#clinic, String(values[0])).map((form) => [form])
        : [values]
    const values = filled.flatMap((one) => formsOf(one.values))
    const owners = await ownersOf(this.#database, { clinic: this.#clinic, source, columns }, values)
    for (const one of filled) {
      const owner = formsOf(one.values).flatMap((form) => owners.get(ownedName(form)) ?? [])[0]
      if (owner === undefined || owner === one.id) continue
      this.#faults.add(source.file, one.line, columns.at(-1) ?? null, `is that of another ${words(source.table)}`)
    }
  }
}

function placedOf(shape: CsvShape, { record, line, lines }: CsvRecord): Placed[] {
  const items = shape.lists.flatMap((source) =>
    (lines[source.field] ?? []).map((at, i) => {
      const list = record[source.field] as readonly Record<string, unknown>[]
      return { source, record: list[i] ?? {}, line: at }
    }),
  )
  return [{ source: shape, record, line }, ...items]
}

/** The column of a finding. Null for the row as a whole. */
function columnAt({ columns }: CsvShape | CsvList, at: string): string | null {
  const found = columns.find(({ place }) => place !== '' && (at === place || at.startsWith(`${place}/`)))
  return found?.name ?? null
}

function idsAt(record: Readonly<Record<string, unknown>>, column: string): string[] {
  let value: unknown = record
  for (const name of column.split('.')) value = (value as Record<string, unknown> | null)?.[name]
  return [value].flat().filter((id) => typeof id === 'string')
}

function words(table: string): string {
  return table.replaceAll('_', ' ')
}
