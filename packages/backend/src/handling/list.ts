// Lists of stored rows, and one of them by its id: a resource says what is its own, and this is the way that all of them go.
import type { Clinic, Problem } from '@clinic-data/contract'
import { type Database, type Statement, sql } from '@clinic-data/database'
import { changedSince, within } from '@clinic-data/records/filters/period'
import {
  type Order,
  orderOfChange,
  type PageQuery,
  type Positioned,
  page,
  pageAnswer,
  pageOfPatient,
  pageOrder,
} from '@clinic-data/records/lists/page'
import { lookUp } from '@clinic-data/records/resources/look-up'
import { type PatientsWithPhone, patientsWithPhone } from '@clinic-data/records/resources/patient-summary'
import type { RowOf } from '@clinic-data/records/resources/resource-table'
import { renderStoredFile, type StoredFileColumns, storedFileColumns } from '@clinic-data/records/resources/stored-file'
import { notFound } from '@clinic-data/surface/not-found'
import type { HandlerParts } from './handled.ts'

/** A condition for each filter that a query may hold. The compiler asks for those that are missing. */
export type Filters<Query> = {
  readonly [Name in Exclude<keyof Query, keyof PageQuery | keyof Times>]-?: (
    value: Exclude<Query[Name], undefined>,
    clinic: Clinic,
    now: Date,
  ) => Statement
}

interface Times {
  readonly from?: string
  readonly to?: string
  readonly updated_since?: string
}

/** The rows of a list, before other tables are joined to them. */
export interface Rows<Query> {
  /** The relation in the statements, such as `c` of `call c`. */
  readonly name: Statement
  readonly from: Statement
  /** That of changes counts under `updated_since`. */
  readonly order: Order
  readonly filters: Filters<Query>
  /** Other rows are in no list. */
  readonly only?: Statement
  /** The rows' phone, where it makes them a patient's: then `patient_id` is no filter among the others. */
  readonly phone?: Statement
}

export interface List<Query, Resource extends Rendered> extends Rows<Query> {
  columns(clinic: Clinic, now: Date): Statement
  joins?(clinic: Clinic): Statement
  render(row: RowOf<Resource>): ReturnType<Resource['render']>
}

interface Rendered {
  render(row: never): unknown
}

type FullQuery<Query> = Query & PageQuery & Times & { readonly patient_id?: string }

function isPresent<Value>(value: Value): value is Exclude<Value, undefined> {
  return value !== undefined
}

/** The rows of one page and one more, as a relation, and their order. */
export function pageOf<Query>(
  { name, from, order: own, filters, only, phone }: Rows<Query>,
  clinic: Clinic,
  query: FullQuery<Query>,
  now: Date,
): { order: Order; rows: Statement } {
  const byChange = orderOfChange(name)
  const where = [sql`${name}.clinic_id = ${clinic.clinic_id}`]
  if (only !== undefined) where.push(only)
  for (const filter of Object.keys(filters) as (keyof Filters<Query>)[]) {
    const value: Query[typeof filter] = query[filter]
    if (isPresent(value)) where.push(filters[filter](value, clinic, now))
  }
  where.push(...within(own.sort, query))
  if (query.updated_since !== undefined) where.push(changedSince(byChange.sort, query.updated_since))
  const order = query.updated_since === undefined ? own : byChange
  const listed = { columns: sql`${name}.*`, from, where, order }
  return {
    order,
    rows: phone === undefined ? page(listed, query) : pageOfPatient(clinic.clinic_id, phone, listed, query),
  }
}

/** The handlers of a list: of the whole clinic, and of one patient or another owner of rows. */
export function listHandlers<Query, Resource extends Rendered>(
  { database, now }: HandlerParts,
  list: List<Query, Resource>,
) {
  async function answer(clinic: Clinic, query: FullQuery<Query>) {
    const { name, columns, joins, render } = list
    const at = now()
    const { order, rows } = pageOf(list, clinic, query, at)
    const found = await database.read<RowOf<Resource> & Positioned>(
      clinic,
      sql`select ${columns(clinic, at)}, ${name}.sort
        from ${rows} ${name} ${joins?.(clinic) ?? sql.empty} ${pageOrder(name, order)}`,
    )
    return pageAnswer(found, query, render)
  }

  return {
    whole: ({ clinic }: InClinic, { query }: { query: FullQuery<Query> }) => answer(clinic, query),
    of: (owner: 'patient_id' | 'conversation_id', requireOwner: RequireOwner) =>
      ofOwner(database, owner, requireOwner, answer),
  }
}

interface InClinic {
  readonly clinic: Clinic
}

type RequireOwner = (database: Database, clinic: Clinic, id: string) => Promise<void>

/** The list of an owner who does not exist is a 404, and that of one without rows is empty. */
export function ofOwner<Query extends object, Answer extends { data: readonly unknown[] }>(
  database: Database,
  owner: string,
  requireOwner: RequireOwner,
  answer: (clinic: Clinic, query: Query) => Promise<Answer>,
) {
  return async ({ clinic }: InClinic, { params: { id }, query }: { params: { id: string }; query: Query }) => {
    const found = await answer(clinic, { ...query, [owner]: id })
    if (found.data.length === 0) await requireOwner(database, clinic, id)
    return found
  }
}

/** The handler of one row. @param called its name in a 404 */
export function oneHandler<Row extends object, Item>(
  { database }: HandlerParts,
  called: string,
  select: (clinic: Clinic, id: string) => Statement,
  render: (row: Row) => Item,
  hint = '',
) {
  return async ({ clinic }: InClinic, { params: { id } }: { params: { id: string } }) => {
    const [row] = await database.read<Row>(clinic, select(clinic, id))
    if (row === undefined) throw notFound(called, id, hint)
    return { data: render(row) }
  }
}

/** The handler of a row's file. @param none the problem of a row without one */
export function fileHandler<Query>(
  { database }: HandlerParts,
  called: string,
  { from, name, phone = sql`null` }: Rows<Query>,
  file_id: Statement,
  none: (id: string) => Problem,
  hint = '',
) {
  return async ({ clinic }: InClinic, { params: { id } }: { params: { id: string } }) => {
    const [row] = await database.read<StoredFileColumns & { patients: PatientsWithPhone }>(
      clinic,
      sql`select ${storedFileColumns}, ${patientsWithPhone(clinic.clinic_id, phone)} as patients
        from ${from}
        ${lookUp('file', clinic.clinic_id, file_id)}
        where ${name}.clinic_id = ${clinic.clinic_id} and ${name}.id = ${id}`,
    )
    if (row === undefined) throw notFound(called, id, hint)
    const data = renderStoredFile(row)
    if (data === null) throw none(id)
    return { data, patient_ids: (row.patients ?? []).map((patient) => patient.id) }
  }
}
