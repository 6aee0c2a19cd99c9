// The rows of one person in a table, a page at a time, so that no more than a page is in memory however many there are.
import { type Database, type Statement, sql } from '@clinic-data/database'
import type { Person } from './person.ts'
import type { Reader } from './reader.ts'

/** A row with its transcript is some ten kilobytes. */
const ROWS_AT_ONCE = 100

export interface OwnRows {
  readonly table: string
  /** Whether a row of the relation `own` is the person's. */
  readonly owned: Statement
  /** Selects the rows whose ids are in an array, in the order of their ids. */
  readonly select: (ids: Statement) => Statement
}

/**
 * Pages in the order of ids. Each is one statement, which decides anew whose the rows are: what became another person's meanwhile is in
 * no later page.
 *
 * @param combine makes one row of several that belong together.
 */
export async function* ownPages<Row extends { id: string }, Whole extends { id: string } = Row>(
  database: Database,
  { clinic }: Person,
  { table, owned, select }: OwnRows,
  combine: (rows: Row[]) => Whole[],
): AsyncGenerator<Whole[]> {
  for (let after = ''; ; ) {
    const ids = sql`array(select own.id from ${sql.identifier(table)} own
      where own.clinic_id = ${clinic.clinic_id} and ${owned} and own.id > ${after} order by own.id limit ${ROWS_AT_ONCE})`
    const page = combine(await database.read<Row>(clinic, select(ids)))
    const last = page.at(-1)
    if (last !== undefined) yield page
    if (last === undefined || page.length < ROWS_AT_ONCE) return
    after = last.id
  }
}

/** The rows of all pages. */
export async function* ownRows<Row extends { id: string }>(
  database: Database,
  person: Person,
  rows: OwnRows,
): AsyncGenerator<Row> {
  for await (const page of ownPages<Row>(database, person, rows, (found) => found)) yield* page
}

/** The ids of rows, of which a person has so many as one statement may answer with. */
export async function idsWhere(database: Reader, { clinic }: Person, table: string, owned: Statement) {
  const rows = await database.read<{ id: string }>(
    clinic,
    sql`select own.id from ${sql.identifier(table)} own where own.clinic_id = ${clinic.clinic_id} and ${owned}`,
  )
  return new Set(rows.map(({ id }) => id))
}
