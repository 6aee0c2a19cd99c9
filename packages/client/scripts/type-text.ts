// Writes a schema of the contract as a TypeScript type whose fields carry their documentation.

import { sharedValues } from '@clinic-data/contract/generators/openapi-shapes'
import type { JsonSchema } from '@clinic-data/contract/json-schema'

const valuesName = new Map(Object.entries(sharedValues).map(([name, values]) => [values.join(), name]))

/** A longer example is no help in an editor's box. Neither is an object, whose fields have their own. */
const MAX_EXAMPLE = 100

/** A schema's name in the contract. A nullable copy keeps it as its title. */
export function typeName({ title }: JsonSchema): string | undefined {
  return title
}

/**
 * The type of a schema.
 *
 * @param example a value of it, for the documentation of its fields.
 * @param meet is told each named schema that the type mentions.
 * @param isAnswered whether a later service may answer a value that is not listed.
 * @example typeText({ type: ['string', 'null'] }, undefined, () => {}) // 'string | null'
 */
export function typeText(schema: JsonSchema, example: unknown, meet: Meet, isAnswered = false): string {
  if (typeName(schema)) meet(schema)
  const union = unionOf(schema)
  if (union.length > 0) return union.map((part) => typeText(part, undefined, meet, isAnswered)).join(' | ')
  const types = [schema.type ?? []].flat()
  return types.map((type) => oneType(schema, type, example, meet, isAnswered)).join(' | ')
}

type Meet = (named: JsonSchema) => void

/** The types that a schema unites. Parts that only require a field are a rule about the object itself. */
function unionOf({ anyOf = [] }: JsonSchema): readonly JsonSchema[] {
  return anyOf.filter((part) => Object.keys(part).join() !== 'required')
}

function oneType(schema: JsonSchema, type: string, example: unknown, meet: Meet, isAnswered: boolean): string {
  switch (type) {
    case 'null':
    case 'boolean':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      return stringText(schema, isAnswered)
    case 'array': {
      const item = typeText(schema.items ?? {}, Array.isArray(example) ? example[0] : undefined, meet, isAnswered)
      return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`
    }
    case 'object':
      return typeName(schema) ?? objectText(schema, example, meet)
    default:
      throw new Error(`a type that the client does not write: ${type}`)
  }
}

function stringText({ enum: listed, const: only, format }: JsonSchema, isAnswered: boolean): string {
  // Joined with commas, as in the URL.
  if (format === 'event-types') return 'readonly EventType[] | string'
  if (format === 'ids') return 'readonly string[] | string'
  if (only !== undefined) return literal(only)
  if (!listed) return 'string'
  const values = listed.filter((value) => value !== null)
  const known = valuesName.get(values.join()) ?? values.map(literal).join(' | ')
  return isAnswered ? `Open<${known}>` : known
}

export function literal(value: string): string {
  return `'${value}'`
}

/** The members of an object between its braces. */
export function objectText(schema: JsonSchema, example: unknown, meet: Meet): string {
  const { properties, required = [], additionalProperties } = schema
  // What a client sends has no other fields, and no other values either.
  const isAnswered = additionalProperties !== false
  if (!properties && typeof additionalProperties === 'object') {
    return `Record<string, ${typeText(additionalProperties, undefined, meet)}>`
  }
  if (!properties) return additionalProperties === true ? 'Record<string, unknown>' : 'Record<string, never>'
  const fields = Object.entries(properties).map(([name, field]) => {
    const value = (example as Record<string, unknown> | undefined)?.[name]
    const mark = required.includes(name) ? '' : '?'
    // Undefined is not sent, so a program may give it, also under `exactOptionalPropertyTypes`.
    const orNone = mark !== '' && !isAnswered ? ' | undefined' : ''
    return `${fieldComment(field, value)}${name}${mark}: ${typeText(field, value, meet, isAnswered)}${orNone}`
  })
  return `{\n${fields.join('\n')}\n}`
}

/** Writes what an editor shows of a field: what it means, and an example. */
function fieldComment({ description, maxLength }: JsonSchema, example: unknown): string {
  const text = JSON.stringify(example)
  const isShown = text !== undefined && text !== 'null' && !text.includes('{') && text.length <= MAX_EXAMPLE
  const bound = maxLength === undefined ? [] : [`At most ${maxLength} characters.`]
  const parts = [...(description ? [sentence(description)] : []), ...(isShown ? [`Example: \`${text}\`.`] : [])]
  return comment(parts.length > 0 ? parts : bound)
}

function sentence(text: string): string {
  return /[.:!?]$/.test(text) ? text : `${text}.`
}

/** A comment before a declaration, one line for each part. None without a part. */
export function comment(lines: readonly string[]): string {
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/'))
  if (safe.length === 0) return ''
  if (safe.length === 1) return `/** ${safe[0]} */\n`
  return `/**\n${safe.map((line) => (line === '' ? ' *' : ` * ${line}`)).join('\n')}\n */\n`
}
