// Keyset paging: a page is the rows after a position in a stored order, so that inserts and deletes never shift it.
import { PAGE, type Position, Problem } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { Statement } from '@clinic-data/database/sql'
import { phonesOf } from '../resources/patient-summary.ts'

/** The order of a list. Both columns are NOT NULL (a stored substitute sorts nulls) and have the same direction. */
export interface Order {
  readonly sort: Statement
  readonly kind: 'instant' | 'text'
  /** Breaks ties. Absent when `sort` has none. */
  readonly id?: Statement
  readonly descending?: boolean
}

/** Oldest change first, for `updated_since`. @param table its name in the statement */
export function orderOfChange(table: Statement): Order {
  return { sort: sql`${table}.updated_at`, kind: 'instant', id: sql`${table}.id` }
}

/** @param sort an instant of the table */
export function orderOfLatest(table: Statement, sort: Statement): Order {
  return { sort: sql`${table}.${sort}`, kind: 'instant', id: sql`${table}.id`, descending: true }
}

export interface PageQuery {
  readonly limit: number
  readonly after: Position | null
}

/** The position after each row of a page. Instants are as PostgreSQL prints them, with their offset. */
export interface Positioned {
  readonly sort: string
  readonly id: string
}

/** One more than the largest page, written into the text: for an unknown limit the planner would expect a tenth of the table. */
const MOST_ROWS = new Statement([String(PAGE.max + 1)], [], true)

export interface Listed {
  /** The selected columns, for example `a.*`. */
  readonly columns: Statement
  readonly from: Statement
  readonly where: readonly Statement[]
  readonly order: Order
}

/**
 * The rows of one page and one more, as a relation: `columns` with `sort` added.
 *
 * The bounds are one row comparison, so an index in this order returns exactly the page.
 */
export function page(listed: Listed, query: PageQuery): Statement {
  return sql`(select * from (${firstRows(listed, query)}) most limit ${query.limit + 1})`
}

/** So many rows are looked at, one after the other, before a condition is met for the whole clinic at once. */
export const NEXT_ROWS = 1000

/**
 * The same where a condition takes long for a row, and perhaps hardly any row meets it. It is tried on the next rows. When they hold
 * no whole page and are not the last, the rows are those of `whole` (docs/decisions/0131).
 *
 * @param costly the condition on a row
 * @param whole the same condition, in a form that reads all rows of the clinic once
 */
export function pageOfNext(listed: Listed, costly: Statement, whole: Statement, query: PageQuery): Statement {
  const name = sql`p`
  const isEnough = sql`((select count(*) from near) > ${query.limit} or (select count(*) from next) < ${NEXT_ROWS})`
  return sql`(with next as materialized (${firstRows(listed, query, sql`${NEXT_ROWS}`)}),
      near as materialized (select ${name}.* from next ${name} where ${costly} ${pageOrder(name, listed.order)} limit ${query.limit + 1})
    select * from near where ${isEnough}
    union all select * from ${page({ ...listed, where: [...listed.where, whole] }, query)} far where not ${isEnough})`
}

/**
 * The same of a patient: the rows whose phone is one of the patient's. Without `patient_id`, of the clinic.
 *
 * @param phone the column of the rows that holds their phone
 */
export function pageOfPatient(
  clinic_id: string,
  phone: Statement,
  listed: Listed,
  query: PageQuery & { readonly patient_id?: string },
): Statement {
  if (query.patient_id === undefined) return page(listed, query)
  const where = [...listed.where, sql`${phone} = phones.phone`]
  return pageOfPhones(phonesOf(clinic_id, query.patient_id), { ...listed, where }, query)
}

/** An index has each phone's rows in order, but not those of several together. So this takes the first rows of each and sorts them. */
function pageOfPhones(phones: Statement, listed: Listed, query: PageQuery): Statement {
  return sql`(select each.* from (${phones}) phones cross join lateral (${firstRows(listed, query)}) each
    ${pageOrder(sql`each`, listed.order)} limit ${query.limit + 1})`
}

function firstRows({ columns, from, where, order }: Listed, { after }: PageQuery, most = MOST_ROWS): Statement {
  const { sort, id, descending = false } = order
  const bound = after === null ? [] : [behind(order, after)]
  const direction = descending ? sql`desc` : sql`asc`
  return sql`select ${columns}, ${sort} as sort
    from ${from} where ${sql.join([sql`true`, ...where, ...bound], sql` and `)}
    order by ${sort} ${direction}${id === undefined ? sql.empty : sql`, ${id} ${direction}`} limit ${most}`
}

/** The order of a page's rows after other tables were joined to them. `name` is the relation's. */
export function pageOrder(name: Statement, { descending = false, id }: Order): Statement {
  const direction = descending ? sql`desc` : sql`asc`
  return sql`order by ${name}.sort ${direction}${id === undefined ? sql.empty : sql`, ${name}.id ${direction}`}`
}

/** The answer: the rows of the page, and the position of the last one while there are more. */
export function pageAnswer<R extends Positioned, T>(rows: readonly R[], { limit }: PageQuery, render: (row: R) => T) {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const next = last === undefined ? null : [last.sort, last.id]
  return { data: rows.slice(0, limit).map(render), next }
}

function behind({ sort, kind, id, descending = false }: Order, after: Position): Statement {
  const [first, second] = after
  if (first === undefined || second === undefined || after.length !== 2 || !after.every(isPlain)) throw foreignCursor()
  const value = kind === 'instant' ? instantValue(first) : first
  const sign = descending ? sql`<` : sql`>`
  return id === undefined ? sql`${sort} ${sign} ${value}` : sql`(${sort}, ${id}) ${sign} (${value}, ${second})`
}

/** A text that PostgreSQL accepts. */
function isPlain(text: unknown): boolean {
  return typeof text === 'string' && text.isWellFormed() && !text.includes('\0')
}

const INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?([+-]\d\d)(:\d\d)?(:\d\d)?$/

/** An instant as PostgreSQL prints it. A text that only looks like one would make the statement fail. */
function instantValue(text: string): string {
  if (text === 'infinity' || text === '-infinity') return text
  const [, day = '', time = '', , hours = '', minutes = ':00', seconds = ':00'] = INSTANT.exec(text) ?? []
  const date = new Date(`${day}T${time}Z`)
  // JavaScript reads a day beyond the end of a month as one of the next month.
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T${time}`)
  if (!exists || day < '0001' || Math.abs(Number(hours)) > 15 || minutes > ':59' || seconds > ':59')
    throw foreignCursor()
  return text
}

export function foreignCursor(): Problem {
  const detail = 'The cursor is not one of this list. Start again without `cursor`.'
  return new Problem('invalid-request', detail, { errors: [{ parameter: 'cursor', code: 'invalid', detail }] })
}
