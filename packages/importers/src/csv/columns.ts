// Projects the schema of a record to the columns of its file: a field of a nested object becomes `address.city`, a list of objects
// becomes a file of its own, and an empty value is null.

import { memberPlace } from '@clinic-data/contract/findings'
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import { parseJson } from '@clinic-data/contract/json-text'
import { Problem } from '@clinic-data/contract/problems'
import type { Finding } from '@clinic-data/contract/validator'

export type Column = {
  /** The name in the header: `address.city`. */
  name: string
  /** The place in the record, as a finding names it: `/address/city`. */
  place: string
  /** The field names that lead to it: one or two. */
  path: readonly string[]
  kind: 'text' | 'number' | 'boolean' | 'texts' | 'json'
  schema: JsonSchema
  /** Whether the column may be missing and its values empty. */
  optional: boolean
}

/** A list of objects within a record. It has a file of its own, with a row per item. */
export type ChildList = { field: string; items: JsonSchema; most: number }

export type Projection = { columns: readonly Column[]; lists: readonly ChildList[] }

/** Separates the values of a list of texts. */
const SEPARATOR = ';'

/** `updated_at` is always the time of storing, `created_at` only where the file has none. */
const SET_BY_STORING = { created_at: 'optional', updated_at: 'none' } as const

export function projectionOf(record: JsonSchema): Projection {
  const columns: Column[] = []
  const lists: ChildList[] = []
  for (const [field, schema] of Object.entries(record.properties ?? {})) {
    const presence = SET_BY_STORING[field as keyof typeof SET_BY_STORING]
    if (presence === 'none') continue
    if (schema.properties !== undefined) {
      for (const [member, inner] of Object.entries(schema.properties)) {
        columns.push(columnOf([field, member], inner, isNullable(schema) || isNullable(inner)))
      }
    } else if (schema.items?.properties !== undefined) {
      lists.push({ field, items: schema.items, most: schema.maxItems ?? 0 })
    } else columns.push(columnOf([field], schema, presence === 'optional' || isNullable(schema) || isList(schema)))
  }
  return { columns, lists }
}

function columnOf(path: readonly string[], schema: JsonSchema, optional: boolean): Column {
  return { name: path.join('.'), place: path.reduce(memberPlace, ''), path, kind: kindOf(schema), schema, optional }
}

function kindOf(schema: JsonSchema): Column['kind'] {
  const kinds = {
    string: 'text',
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    array: 'texts',
    object: 'json',
  } as const
  const type = [schema.type].flat().find((name) => name !== 'null') ?? 'string'
  const kind = kinds[type as keyof typeof kinds]
  if (kind === undefined || (kind === 'texts' && schema.items?.type !== 'string')) {
    throw new Error(`no column can hold the type ${type}`)
  }
  return kind
}

function isList({ type }: JsonSchema): boolean {
  return type === 'array'
}

export function isNullable({ type }: JsonSchema): boolean {
  return Array.isArray(type) && type.includes('null')
}

export type Reading = { record: Record<string, unknown>; findings: Finding[] }

/**
 * Makes a record of each row. A text that does not fit its column's type stays as it is: the record's check reports it.
 *
 * @param columns in the order of the values, undefined for a column that is not the record's. Its other fields become null or
 * an empty list.
 */
export function recordReader(
  record: JsonSchema,
  columns: readonly (Column | undefined)[],
): (values: readonly string[]) => Reading {
  const blank = blankOf(record)
  return (values) => {
    const reading: Reading = { record: { ...blank }, findings: [] }
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]
      const text = values[i]
      if (column !== undefined && text !== undefined && text !== '') put(record, reading, column, text)
    }
    return reading
  }
}

/** A record without any value: optional fields are null, required ones are missing. */
function blankOf({ properties = {} }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
      if (isNullable(schema)) return [[name, null]]
      return isList(schema) ? [[name, []]] : []
    }),
  )
}

function put(schema: JsonSchema, { record, findings }: Reading, column: Column, text: string): void {
  const { path, place } = column
  const [field = '', member] = path
  let value: unknown
  try {
    value = valueIn(column.kind, text)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    findings.push({
      place,
      code: 'json',
      detail: 'must be JSON as the interfaces take it: in double quotes, at most 32 levels deep',
    })
    return
  }
  if (member === undefined) record[field] = value
  else {
    const object = (record[field] ?? blankOf(schema.properties?.[field] ?? {})) as Record<string, unknown>
    object[member] = value
    record[field] = object
  }
}

/** No exponent, plus sign, leading zeros or comma: spreadsheets change numbers, and we do not guess. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** @throws Problem when the text is not JSON. */
function valueIn(kind: Column['kind'], text: string): unknown {
  switch (kind) {
    case 'text':
      return text
    case 'number':
      return NUMBER.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text
    case 'texts':
      return text.split(SEPARATOR)
    case 'json':
      return parseJson(Buffer.from(text))
  }
}
