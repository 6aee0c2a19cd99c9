// Writes many records of one table with few statements, and reports which of them were new or changed.
//
// One form of statement works on every PostgreSQL that the project supports: multi-row values with `on conflict`. Citus refuses
// inserts from arrays under row level security.

import { hash } from 'node:crypto'
import type { Clinic } from '@clinic-data/contract'
import type { SqlScalar, Transaction } from '@clinic-data/database'
import { sql } from '@clinic-data/database'
import { type RenderedStatement, Statement } from '@clinic-data/database/sql'
import { parameterText } from '@clinic-data/database/values/parameter-text'
import { canBeErased, erasedAmong } from './erased-records.ts'
import type { Column, RecordTable, Stored } from './record-table.ts'
import { risenUpdatedAt } from './risen-updated-at.ts'

/** The ids of a table whose key is not `id` alone are the parts of the key, joined by a space. */
export type StoredIds = { inserted: Set<string>; updated: Set<string>; erased?: ReadonlySet<string> }

/** Whether an existing row is updated to the record or kept. */
export type Existing = 'replace' | 'keep'

/**
 * Measured: a row of an upsert costs a third less when its statement is prepared, and this height reaches the full gain. A prepared
 * row costs the server 13 kB per connection.
 */
const ROWS_PER_STATEMENT = 100

export async function storeRows<R>(
  tx: Transaction,
  clinic: Clinic,
  table: RecordTable<R>,
  records: readonly R[],
  existing: Existing = 'replace',
): Promise<StoredIds> {
  const ids: StoredIds = { inserted: new Set(), updated: new Set() }
  const idOf = (record: R) => table.key.map(({ value }) => String(value(record, clinic))).join(' ')
  const erased = canBeErased(table.name) ? await erasedAmong(tx, clinic, table.name, records.map(idOf)) : NONE
  const kept = erased.size === 0 ? records : records.filter((record) => !erased.has(idOf(record)))
  for (const statement of statementsOf(table, clinic, kept, existing)) {
    const answer = await tx.query<{ id: string; inserted: boolean }>(statement)
    for (const { id, inserted } of answer.rows) (inserted ? ids.inserted : ids.updated).add(id)
  }
  return { ...ids, erased }
}

const NONE: ReadonlySet<string> = new Set()

/** Adds the missing rows without reporting them: reporting takes a twentieth of an import. */
export async function addRows<R>(
  tx: Transaction,
  clinic: Clinic,
  table: RecordTable<R>,
  records: readonly R[],
): Promise<void> {
  for (const statement of statementsOf(table, clinic, records, 'add')) await tx.query(statement)
}

/** The rows of one insert, with far fewer parameters than a statement can have. */
const ROWS_PER_INSERT = 1_000

/**
 * Inserts new records and returns the given columns of their rows. Leaves out a record whose id, or another unique value, is taken.
 * A statement of a few rows stays prepared.
 */
export async function insertRows<R, Row extends object>(
  tx: Transaction,
  clinic: Clinic,
  table: RecordTable<R>,
  records: readonly R[],
  returning: Statement,
): Promise<Row[]> {
  const stored: Row[] = []
  for (const insert of insertsOf(table, clinic, records)) {
    const answer = await tx.query<Row>(sql`${insert} on conflict do nothing returning ${returning}`)
    stored.push(...answer.rows)
  }
  return stored
}

/**
 * Sends new records with the transaction's next statement. If an id, or another unique value, is taken, the transaction fails, and
 * `writeChanges` starts it again.
 */
export function sendRows<R>(tx: Transaction, clinic: Clinic, table: RecordTable<R>, records: readonly R[]): void {
  for (const insert of insertsOf(table, clinic, records)) tx.send(insert)
}

function* insertsOf<R>(table: RecordTable<R>, clinic: Clinic, records: readonly R[]): Generator<Statement> {
  const columns = writtenColumns(table)
  const names = columns.map(({ name }) => quoted(name)).join(', ')
  const insert = new Statement([`insert into ${table.name} (clinic_id, ${names}) values `], [])
  for (let at = 0; at < records.length; at += ROWS_PER_INSERT) {
    const rows = records.slice(at, at + ROWS_PER_INSERT).map((record) => {
      const values = columns.map(({ value, cast }) => new Statement(['', cast], [value(record, clinic)]))
      return sql`(${clinic.clinic_id}, ${sql.join(values)})`
    })
    yield sql`${insert}${sql.join(rows)}`
  }
}

/** How a statement treats existing rows. A statement that only adds rows returns nothing. */
type Form = Existing | 'add'

function* statementsOf<R>(table: RecordTable<R>, clinic: Clinic, records: readonly R[], form: Form) {
  const height = table.rowsPerStatement ?? ROWS_PER_STATEMENT
  const rows = inKeyOrder(table, records, clinic)
  for (let at = 0; at < rows.length; at += height) {
    const group = rows.slice(at, at + height)
    yield new BulkInsert(textFor(table, group.length, form), valuesOf(table, group, clinic))
  }
}

/** Counts what became of the records. If two have the same key, the first one counts as unchanged. */
export function storedOf(records: readonly unknown[], { inserted, updated, erased = NONE }: StoredIds): Stored {
  return { inserted, updated, erased, unchanged: records.length - inserted.size - updated.size - erased.size }
}

/** The result of a change that adds no record. */
export function updatedOf(records: readonly unknown[], updated: ReadonlySet<string>): Stored {
  return { inserted: new Set(), updated, unchanged: records.length - updated.size }
}

/** Raises `updated_at` of records that changed only in another table: never backwards, and by at least 1 ms. */
export async function touchRows<R extends { id: string; updated_at: string }>(
  tx: Transaction,
  clinic: Clinic,
  table: Pick<RecordTable<R>, 'name'>,
  records: readonly Pick<R, 'id' | 'updated_at'>[],
): Promise<void> {
  if (records.length === 0) return
  await tx.query(sql`
    update ${sql.identifier(table.name)} as stored
    set updated_at = ${risenUpdatedAt(sql`input.updated_at`)}
    from ${sql.input(records, { text: ['id'], timestamptz: ['updated_at'] })}
    where stored.clinic_id = ${clinic.clinic_id} and stored.id = input.id`)
}

/**
 * If two records have the same key, the later one counts. All writers take their locks in the same order, which prevents deadlocks.
 */
function inKeyOrder<R>(table: RecordTable<R>, records: readonly R[], clinic: Clinic): R[] {
  const byKey = new Map<string, R>()
  for (const record of records) {
    byKey.set(table.key.map(({ value }) => String(value(record, clinic))).join(' '), record)
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record)
}

function valuesOf<R>(table: RecordTable<R>, records: readonly R[], clinic: Clinic) {
  const values: SqlScalar[] = [clinic.clinic_id]
  const columns = writtenColumns(table)
  for (const record of records) {
    for (const column of columns) values.push(column.value(record, clinic))
  }
  return values
}

/** The columns of an insert after the clinic's, in their order. */
function writtenColumns<R>({ key, columns, updatedAt }: RecordTable<R>): Pick<Column<R>, 'name' | 'value' | 'cast'>[] {
  const time = updatedAt === undefined ? [] : [{ name: 'updated_at', value: updatedAt, cast: '' }]
  return [...key, ...columns, ...time]
}

/** Texts of full height are used all the time, so they are kept. The text of a remainder is made for each use. */
const texts = new WeakMap<RecordTable<never>, Map<Form, BulkText>>()

type BulkText = { text: string; name: string | undefined }

function textFor<R>(table: RecordTable<R>, height: number, form: Form): BulkText {
  if (height !== (table.rowsPerStatement ?? ROWS_PER_STATEMENT)) {
    return { text: upsertText(table, height, form), name: undefined }
  }
  const known = texts.get(table) ?? new Map<Form, BulkText>()
  texts.set(table, known)
  const text = known.get(form) ?? named(upsertText(table, height, form))
  known.set(form, text)
  return text
}

/** Named by its text: two kinds of records can be stored in one table. */
function named(text: string): BulkText {
  return { text, name: hash('sha1', text, 'base64url') }
}

class BulkInsert extends Statement {
  readonly #text: BulkText

  constructor(text: BulkText, values: readonly SqlScalar[]) {
    super([], values)
    this.#text = text
  }

  override render(): RenderedStatement {
    return { ...this.#text, values: this.values.map(parameterText) }
  }
}

function upsertText<R>(table: RecordTable<R>, height: number, form: Form): string {
  const columns = writtenColumns(table)
  const names = columns.map(({ name }) => quoted(name))
  let next = 2
  // The clinic is the first value, once for all rows.
  const row = () => `($1, ${columns.map(({ cast }) => `$${next++}${cast}`).join(', ')})`
  const rows = Array.from({ length: height }, row).join(', ')
  return `insert into ${table.name} as stored (clinic_id, ${names.join(', ')}) values ${rows}
    on conflict (clinic_id, ${table.key.map(({ name }) => quoted(name)).join(', ')}) ${conflict(table, form)}
    ${form === 'add' ? '' : `returning ${nameOf(table)} as id, stored.xmax = 0 as inserted`}`
}

function nameOf<R>({ key }: RecordTable<R>): string {
  return key.map(({ name }) => `stored.${quoted(name)}::text`).join(` || ' ' || `)
}

function conflict<R>({ columns, updatedAt }: RecordTable<R>, form: Form): string {
  const changing = columns.filter(({ once }) => !once)
  if (form !== 'replace' || changing.length === 0) return 'do nothing'
  const set = changing.map(({ name }) => `${quoted(name)} = excluded.${quoted(name)}`)
  if (updatedAt !== undefined) set.push(`updated_at = ${updated(changing)}`)
  return `do update set ${set.join(', ')} where ${differ(changing)}`
}

const LATER = risenUpdatedAt(sql`excluded.updated_at`).render().text

function updated<R>(changing: readonly Column<R>[]): string {
  const shown = changing.filter(({ unshown }) => !unshown)
  return shown.length === changing.length
    ? LATER
    : `case when ${differ(shown)} then ${LATER} else stored.updated_at end`
}

function differ<R>(columns: readonly Column<R>[]): string {
  const compared = (row: string) => columns.map(({ name, comparedAs }) => `${row}.${quoted(name)}${comparedAs}`)
  return `(${compared('stored').join(', ')}) is distinct from (${compared('excluded').join(', ')})`
}

function quoted(name: string): string {
  return `"${name}"`
}
