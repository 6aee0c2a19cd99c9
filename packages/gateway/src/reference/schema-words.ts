// Describes a schema in words: its type and its bounds.
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import type { OpenApiDocument } from '@clinic-data/contract/projections/openapi-document'

/** The last part of a reference: `Patient` of `#/components/schemas/Patient`. */
export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

/** The name that readers see: the detailed form is shown together with the concise one. */
export function shownName(name: string, document: OpenApiDocument): string {
  const concise = name.replace(/Detailed$/, '')
  return concise in document.components.schemas ? concise : name
}

/** Follows a reference to its schema. */
export function followed(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  if (!schema.$ref) return schema
  const found = document.components.schemas[refName(schema.$ref)]
  if (!found) throw new Error(`nothing at ${schema.$ref}`)
  return found
}

/** `string or null`, `list of Patient`, `object`. */
export function typeWords(schema: JsonSchema, document: OpenApiDocument): string {
  if (schema.$ref) return shownName(refName(schema.$ref), document)
  if (schema.anyOf) return schema.anyOf.map((variant) => typeWords(variant, document)).join(' or ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['anything'])
  const words = types.map((type) =>
    type === 'array' && schema.items ? `list of ${plural(typeWords(schema.items, document))}` : type,
  )
  return words.join(' or ')
}

function plural(words: string): string {
  return /^[a-z]+$/.test(words) ? `${words}s` : words
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'ISO 8601',
  date: 'YYYY-MM-DD',
  uri: 'URL',
}

/** The bounds of a value in a few words. Empty where the type says it all. */
export function boundWords(schema: JsonSchema): string[] {
  const { format = '', maxLength, maxItems, maxProperties, default: standard } = schema
  const isListed = schema.enum !== undefined
  return [
    FORMATS[format] ?? '',
    maxLength !== undefined && !format && !isListed && !schema.items
      ? lengthWords(schema.minLength ?? 0, maxLength)
      : '',
    rangeWords(schema),
    maxItems === undefined ? '' : `at most ${count(maxItems)}`,
    maxProperties === undefined ? '' : `at most ${count(maxProperties)} keys`,
    standard === undefined ? '' : `default ${String(standard)}`,
  ].filter((words) => words !== '')
}

function lengthWords(least: number, most: number): string {
  if (least === most) return `${most} characters`
  return least > 1 ? `${least} to ${most} characters` : `≤ ${count(most)} characters`
}

function rangeWords({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  if (exclusiveMinimum !== undefined && maximum !== undefined)
    return `above ${exclusiveMinimum}, up to ${count(maximum)}`
  if (minimum === undefined || maximum === undefined) return ''
  return `${count(minimum)} to ${count(maximum)}`
}

function count(number: number): string {
  return number.toLocaleString('en')
}
