// The form of a file of a CSV import: its columns, what identifies a row, the ids in its columns, and how its records are stored.

import type { Clinic } from '@clinic-data/contract'
import { type JsonSchema, jsonSchemaOf } from '@clinic-data/contract/json-schema'
import type { Finding } from '@clinic-data/contract/validator'
import type { Transaction } from '@clinic-data/database'
import { recordKinds } from '@clinic-data/records/record-kinds'
import type { ListRules, RecordKind } from '@clinic-data/records/storing/record-kind'
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

/** The file of a kind of record. */
export function shape(name: string, { record, references, lists, ...kind }: RecordKind): CsvShape {
  const schema = jsonSchemaOf(record)
  const projection = projectionOf(schema)
  const isOfList = (path: string) => projection.lists.some(({ field }) => path.startsWith(`${field}.`))
  return {
    ...kind,
    name,
    file: `${name}.csv`,
    schema,
    columns: projection.columns,
    references: Object.fromEntries(Object.entries(references).filter(([path]) => !isOfList(path))),
    lists: projection.lists.map((list) => listOf(kind.table, list, references, lists[list.field])),
  }
}

function listOf(
  table: string,
  { field, items, most }: ChildList,
  references: RecordKind['references'],
  rules: ListRules = {},
): CsvList {
  const { parent = `${table}_id`, key = [], unique = [] } = rules
  const owner: Column = { name: parent, place: '', path: [], kind: 'text', schema: { type: 'string' }, optional: false }
  return {
    // The items of a record that has no row of its own are the record.
    file: rules.table === table ? `${table}.csv` : `${table}_${field}.csv`,
    table: rules.table ?? `${table}_${field.replace(/s$/, '')}`,
    field,
    schema: items,
    most,
    key,
    unique,
    references: Object.fromEntries(
      Object.entries(references).flatMap(([path, named]) =>
        path.startsWith(`${field}.`) ? [[path.slice(field.length + 1), named]] : [],
      ),
    ),
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

/** One file for each kind of record. No file names rows of a later one. */
export const csvShapes: readonly CsvShape[] = Object.entries(recordKinds).map(([name, kind]) => shape(name, kind))

/** Finds the file with the rows of a table. */
export function fileOf(table: string): string | undefined {
  return csvShapes.find((one) => one.table === table)?.file
}
