// The form of a file of a CSV import: its columns, what identifies a row, the ids in its columns, and how its records are stored.

import type { Clinic } from '@clinic-data/contract'
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import type { TSchema } from '@clinic-data/contract/schema'
import type { Finding } from '@clinic-data/contract/validator'
import type { Transaction } from '@clinic-data/database'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { type ChildList, type Column, projectionOf } from './columns.ts'

/** The rules for the rows of a file, beyond the schema. */
type Rules = {
  /** The columns that together identify a row. Empty if nothing identifies it. */
  key: readonly string[]
  /** The columns that hold ids, with the tables that the ids name. */
  references: Readonly<Record<string, string>>
  /** Columns whose values together must be unique in the clinic, unless one is empty. */
  unique: readonly (readonly string[])[]
}

/** A file with the lists of another file's records, such as patients' contacts, or of records that are nothing but a list. */
export type CsvList = Rules & {
  file: string
  table: string
  /** The field of the record, such as `contacts`. */
  field: string
  /** The first column, such as `patient_id`. The others are fields of the items. */
  parent: string
  schema: JsonSchema
  columns: readonly Column[]
  /** The most items of one record. */
  most: number
}

export type CsvShape = Rules & {
  /** The name of the file without `.csv`. */
  name: string
  file: string
  table: string
  schema: JsonSchema
  columns: readonly Column[]
  lists: readonly CsvList[]
  /** This and `store` are called with records that were read by the shape's schema. */
  check(record: object, clinic: Clinic): Finding[]
  store(tx: Transaction, clinic: Clinic, records: readonly object[]): Promise<Stored>
}

type Written<R extends object> = Partial<Rules> & {
  name: string
  table: string
  record: TSchema
  /** The rules for items, by the list's field. */
  lists?: Readonly<Record<string, Partial<Rules & Pick<CsvList, 'file' | 'table' | 'parent'>>>>
  check: (record: R, clinic: Clinic) => Finding[]
  store: (tx: Transaction, clinic: Clinic, records: readonly R[]) => Promise<Stored>
}

export function shape<R extends object>({
  name,
  table,
  record,
  lists = {},
  check,
  store,
  ...rules
}: Written<R>): CsvShape {
  const schema = record as JsonSchema
  const projection = projectionOf(schema)
  return {
    name,
    file: `${name}.csv`,
    table,
    schema,
    columns: projection.columns,
    key: ['id'],
    references: {},
    unique: [],
    ...rules,
    lists: projection.lists.map((list) => listOf(table, list, lists[list.field])),
    check,
    store,
  }
}

function listOf(table: string, { field, items, most }: ChildList, rules: Partial<CsvList> = {}): CsvList {
  const parent = rules.parent ?? `${table}_id`
  const owner: Column = { name: parent, place: '', path: [], kind: 'text', schema: { type: 'string' }, optional: false }
  return {
    file: `${table}_${field}.csv`,
    table: `${table}_${field.replace(/s$/, '')}`,
    field,
    schema: items,
    most,
    key: [],
    references: {},
    unique: [],
    ...rules,
    parent,
    columns: [owner, ...projectionOf(items).columns],
  }
}

/** Whether a record has no row of its own: consecutive rows of its list make one record. */
export function listThatIsAll({ file, lists }: CsvShape): CsvList | undefined {
  return lists.find((list) => list.file === file)
}

/** Finds the column that names another row of the same file. */
export function namesItself({ references, table }: CsvShape | CsvList): string | undefined {
  return Object.keys(references).find((column) => references[column] === table)
}
