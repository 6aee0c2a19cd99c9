// JSON Schema as the projections publish it: named schemas by reference or inline, the contract's own formats as standard ones.
import { nameOf, type TSchema } from '../schema.ts'

/** The keywords that the contract's schemas use. */
export interface JsonSchema {
  $ref?: string
  type?: string | readonly string[]
  title?: string
  description?: string
  format?: string
  pattern?: string
  enum?: readonly (string | null)[]
  const?: string
  default?: unknown
  examples?: readonly unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  multipleOf?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  maxProperties?: number
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  allOf?: readonly JsonSchema[]
}

/** What the contract's own validator carries out besides, and nobody else needs to know. */
interface OwnKeywords {
  trim?: boolean
  emptyIsAbsent?: boolean
  distinct?: boolean
}

const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const TIME = '[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})'

/** The contract's own formats, in words that every validator knows. */
const standardForms: Readonly<Record<string, JsonSchema>> = {
  instant: { format: 'date-time' },
  'day-or-instant': { pattern: `^${DAY}(T${TIME})?$` },
  phone: { pattern: '^\\+?[0-9 ().\\-/]{3,40}$' },
  'webhook-url': { format: 'uri', pattern: '^https://' },
  'event-types': { pattern: '^[a-z._]+(,[a-z._]+)*$' },
  'time-of-day': { pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$' },
  'recorded-instant': { pattern: `^${DAY}(T${TIME})?$` },
}

/** What stands in the place of a named schema: a reference, or nothing, and then the schema itself. */
export type Refer = (name: string, schema: TSchema) => JsonSchema | undefined

/** A contract schema, published where it is used. */
export function publishedSchema(schema: TSchema, refer: Refer): JsonSchema {
  const name = nameOf(schema)
  return (name && refer(name, schema)) || publishedBody(schema, refer)
}

/** The same where it is defined. A nullable copy of a named schema has its title but not its name: it drops the example too. */
export function publishedBody(schema: TSchema, refer: Refer): JsonSchema {
  const { title, examples, format, trim, emptyIsAbsent, distinct, ...rest } = schema as unknown as JsonSchema &
    OwnKeywords
  const inner = (part: JsonSchema) => publishedSchema(part as TSchema, refer)
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = rest
  return {
    ...rest,
    ...(format === undefined ? {} : (standardForms[format] ?? { format })),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, inner(part)])),
    }),
    ...(items && { items: inner(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: inner(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
    ...(allOf && { allOf: allOf.map(inner) }),
    ...(examples && (!title || nameOf(schema)) ? { examples } : {}),
  }
}
