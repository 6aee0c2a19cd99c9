// The commands of `sc` as data, one per operation. The client adds its own commands (`login`, `schema` …).

import { argumentName, commandNames, idDescription, tableColumns } from '../names.ts'
import type { Operation } from '../operation.ts'
import { allOperations, type OperationId } from '../operations.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Scope } from '../scopes.ts'
import { publishedSchema } from './published-schema.ts'
import { inReadingOrder } from './reading-order.ts'

/** Where a value goes in the request. */
export type Place = 'path' | 'query' | 'body'

export interface CommandArgument {
  name: string
  /** The parameter or field that it fills. */
  fills: string
  in: Place
  required: boolean
  description: string
}

export interface CommandOption {
  /** Without dashes: `branch`. */
  flag: string
  /** One letter, where the specification gives one. */
  short?: string
  /** The placeholder for the value in the help. */
  value: string
  fills: string
  in: Place | 'header'
  type: 'string' | 'integer' | 'number' | 'boolean' | 'json'
  required: boolean
  /** May be given several times. The values make a list. */
  repeatable: boolean
  choices?: readonly string[]
  default?: unknown
  description: string
}

export interface Command {
  /** The words after `sc`. */
  path: readonly string[]
  /** Other words for it, which help and completion do not show. */
  aliases: readonly (readonly string[])[]
  summary: string
  description: string
  operation: string
  endpoint: string
  scope: Scope | null
  args: readonly CommandArgument[]
  options: readonly CommandOption[]
  /** The path to the table's rows in the answer: `data`, or a list inside it. */
  rows: string
  /**
   * The fields of a row, including detailed ones, in the order of the table's columns. A dot leads into an embedded object. The id
   * of such an object (`patient.id`) is for the next command, so a table may leave it out. Empty: the fields that the rows have.
   */
  output_columns: readonly string[]
  /** Those of `output_columns` that only `response_format=detailed` answers. */
  detailed_columns: readonly string[]
  /** The columns of a list on a terminal: what a person looks for first, the ids last. Empty: those of `output_columns`. */
  table_columns: readonly string[]
  examples: readonly string[]
}

/** The commands of all operations, in the reference's order. */
export function commands(): readonly Command[] {
  return inReadingOrder(allOperations).map(commandOf)
}

export function commandOf(operation: Operation): Command {
  const args = argumentsOf(operation)
  const options = optionsOf(operation)
  const path = pathOf(operation)
  const concise = new Set(columnsOf(operation, operation.output))
  const columns = columnsOf(operation, operation.detailed ?? operation.output)
  return {
    path,
    aliases: [operationWords(operation)].filter((words) => words.join(' ') !== path.join(' ')),
    summary: operation.summary,
    description: operation.description,
    operation: operation.id,
    endpoint: `${operation.method} ${operation.path}`,
    scope: operation.scope,
    args,
    options,
    rows: ['data', ...(exceptionOf(operation).rows ?? [])].join('.'),
    output_columns: columns,
    detailed_columns: columns.filter((column) => !concise.has(column)),
    table_columns: tableColumns[operation.id as OperationId] ?? [],
    examples: [exampleOf(operation, path, args, options)],
  }
}

const exceptionOf = ({ id }: Operation) => commandNames[id as OperationId] ?? {}

function pathOf(operation: Operation): readonly string[] {
  return exceptionOf(operation).path ?? operationWords(operation)
}

/** The words of the id: who knows the resources guesses them, `availability list` for one. */
function operationWords({ id }: Operation): readonly string[] {
  return id.replaceAll('_', '-').split('.')
}

/** The input of an operation as one object: its body if it has one, or else its query. */
function input(operation: Operation): { place: 'query' | 'body'; schema: JsonSchema } {
  const { body, query } = operation
  return { place: body ? 'body' : 'query', schema: publishedSchema(body ?? query, () => undefined) }
}

function argumentsOf(operation: Operation): CommandArgument[] {
  const { place, schema } = input(operation)
  const fromPath = Object.keys(operation.ids).map((parameter) => ({
    name: argumentName(operation, parameter),
    fills: parameter,
    in: 'path' as const,
    required: true,
    description: idDescription(operation, parameter),
  }))
  const others = Object.entries(exceptionOf(operation).arguments ?? {}).map(([fills, name]) => ({
    name,
    fills,
    in: place,
    required: schema.required?.includes(fills) ?? false,
    description: schema.properties?.[fills]?.description ?? '',
  }))
  return [...fromPath, ...others]
}

function optionsOf(operation: Operation): CommandOption[] {
  const { place, schema } = input(operation)
  const { arguments: positional = {}, options: special = {} } = exceptionOf(operation)
  const options = Object.entries(schema.properties ?? {})
    .filter(([field]) => !(field in positional))
    .map(([field, one]): CommandOption => {
      const required = schema.required?.includes(field) ?? false
      const derived = { ...optionOf(field, one), fills: field, in: place, required }
      return field in special ? { ...derived, type: 'string', repeatable: true, ...special[field] } : derived
    })
  return operation.effect === 'once a key' ? [...options, idempotencyKey] : options
}

const idempotencyKey: CommandOption = {
  flag: 'idempotency-key',
  value: 'key',
  fills: 'Idempotency-Key',
  in: 'header',
  type: 'string',
  required: false,
  repeatable: false,
  description: 'Makes the write safe to repeat. If you leave it out, `sc` makes one.',
}

/** The option for one field: `branch_id` is `--branch`, a list is a flag that repeats, an object is JSON. */
function optionOf(field: string, schema: JsonSchema): Omit<CommandOption, 'fills' | 'in' | 'required'> {
  const repeatable = typeOf(schema) === 'array'
  const one = repeatable ? (schema.items ?? {}) : schema
  const type = typeOf(one)
  const name = repeatable ? field.replace(/s$/, '') : field
  const choices = one.enum?.filter((choice) => choice !== null)
  return {
    flag: name.replace(/(?<!external)_id$/, '').replaceAll('_', '-'),
    value: type === 'object' ? 'json' : name,
    type: type === 'object' ? 'json' : (type as CommandOption['type']),
    repeatable,
    ...(choices && { choices }),
    ...(schema.default !== undefined && { default: schema.default }),
    description: schema.description ?? '',
  }
}

function typeOf({ type }: JsonSchema): string {
  return typeof type === 'string' ? type : (type?.[0] ?? 'string')
}

/** The field that represents an object in a list: a name, a contact's value, a document's number. */
const TELLING = ['id', 'name', 'value', 'number', 'first_name', 'last_name']

/** The fields of a row: embedded objects by their own fields, without colours, and lists by the field that represents each item. */
function columnsOf(operation: Operation, output: Operation['output']): string[] {
  return Object.entries(rowOf(operation, output).properties ?? {}).flatMap(([name, schema]) => {
    const isList = typeOf(schema) === 'array'
    const one = isList ? (schema.items ?? {}) : schema
    if (typeOf(one) !== 'object') return [name]
    return Object.entries(one.properties ?? {})
      .filter(([key, part]) => (isList ? TELLING.includes(key) && typeOf(part) === 'string' : isShown(key, part)))
      .map(([key]) => `${name}.${key}`)
  })
}

function isShown(key: string, schema: JsonSchema): boolean {
  return key !== 'color' && !['array', 'object'].includes(typeOf(schema))
}

function rowOf(operation: Operation, output: Operation['output']): JsonSchema {
  const answer = publishedSchema(output, () => undefined)
  const steps = ['data', ...(exceptionOf(operation).rows ?? [])]
  const found = steps.reduce<JsonSchema>((schema, step) => schema.properties?.[step] ?? {}, answer)
  return typeOf(found) === 'array' ? (found.items ?? {}) : found
}

function exampleOf(
  { example, ids }: Operation,
  path: readonly string[],
  args: readonly CommandArgument[],
  options: readonly CommandOption[],
): string {
  const exampleValues: Record<Place | 'header', Record<string, unknown>> = {
    path: example.params ?? {},
    query: example.query ?? {},
    body: (example.body ?? {}) as Record<string, unknown>,
    header: {},
  }
  const words = args.flatMap(({ in: place, fills }) =>
    ids[fills] === 'delivery' ? [latestDelivery(example.params?.id)] : spell(exampleValues[place][fills]),
  )
  const flags = options.flatMap((option) => {
    const value = exampleValues[option.in][option.fills]
    const values = option.repeatable && Array.isArray(value) ? value : [value]
    return values.flatMap((one) =>
      spell(one, option).map((word) => `${option.short ? `-${option.short}` : `--${option.flag}`} ${word}`),
    )
  })
  return ['sc', ...path, ...words, ...flags].join(' ')
}

/** A delivery is kept for some weeks only, so an example cannot name one: it takes the latest. */
function latestDelivery(webhook_id = ''): string {
  return `$(sc webhooks deliveries list ${webhook_id} | grep -o 'dlv_[^ ]*' | head -n 1)`
}

/** A value as a word of the shell. Empty for none. */
function spell(value: unknown, option?: CommandOption): string[] {
  if (value === undefined) return []
  const text = typeof value === 'object' && value !== null ? shorthand(value, option) : String(value)
  return [/^[\w.,:@/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`]
}

/** `{ field, op, value }`, `{ field, grain }` and `{ by, dir }` in the short form of the query's flags. Other objects as JSON. */
function shorthand(value: object, option?: CommandOption): string {
  if (option?.type === 'json') return JSON.stringify(value)
  return Object.values(value)
    .map((part) => (Array.isArray(part) ? part.join('..') : String(part)))
    .join(':')
}
