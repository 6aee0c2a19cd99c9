// Looks up the clinic's existing rows: those that a CSV import names, and those with the same unique values.

import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import type { CsvList, CsvShape } from './shape.ts'

/** Looks up the ids in the clinic's tables that an import names. */
export class ClinicIds {
  readonly #database: Database
  readonly #clinic: Clinic
  readonly #known = new Map<string, Set<string>>()

  constructor(database: Database, clinic: Clinic) {
    this.#database = database
    this.#clinic = clinic
  }

  /** Only for ids that were asked for before. */
  has(table: string, id: string): boolean {
    return this.#known.get(table)?.has(id) ?? false
  }

  async ask(table: string, ids: Iterable<string>): Promise<void> {
    const known = this.#known.get(table) ?? new Set()
    this.#known.set(table, known)
    const rows = await this.#database.read<{ id: string }>(
      this.#clinic,
      sql`select id from ${sql.identifier(table)}
        where clinic_id = ${this.#clinic.clinic_id} and id = any(${[...ids]}::text[])`,
    )
    for (const { id } of rows) known.add(id)
  }
}

/**
 * Finds the rows that have the given values in unique columns: their ids by the values, as `ownedName` writes them.
 *
 * @param values the values of each row, in the order of the columns.
 */
export async function ownersOf(
  database: Database,
  { clinic, source, columns }: { clinic: Clinic; source: CsvShape | CsvList; columns: readonly string[] },
  values: readonly (readonly unknown[])[],
): Promise<Map<string, string>> {
  const names = columns.map((name) => sql.identifier(name))
  const isNumber = (name: string) => source.columns.find((column) => column.name === name)?.kind === 'number'
  const texts = values.map((row) => Object.fromEntries(columns.map((name, at) => [name, String(row[at])])))
  const input = sql.input(texts, {
    bigint: columns.filter(isNumber),
    text: columns.filter((name) => !isNumber(name)),
  })
  const rows = await database.read<{ id: string; owned: (string | null)[] }>(
    clinic,
    sql`select id, array[${sql.join(names.map((name) => sql`${name}::text`))}] as owned
      from ${sql.identifier(source.table)}
      where clinic_id = ${clinic.clinic_id} and (${sql.join(names)}) in (select ${sql.join(names)} from ${input})`,
  )
  return new Map(rows.map(({ id, owned }) => [ownedName(owned), id]))
}

export function ownedName(values: readonly unknown[]): string {
  return JSON.stringify(values.map(String))
}
