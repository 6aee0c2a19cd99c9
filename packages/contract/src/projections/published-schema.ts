// JSON Schema as the projections publish it: named schemas by reference or inline, the contract's own formats as standard ones.
import { formats } from '../input/formats.ts'
import { type JsonSchema, jsonSchemaOf } from '../schema/json-schema.ts'
import { nameOf, type TSchema } from '../schema/schema.ts'

/** Keywords that only the contract's own validator needs. */
interface OwnKeywords {
  trim?: boolean
  emptyIsAbsent?: boolean
  distinct?: boolean
  absentIs?: null | readonly never[]
  decimals?: number
}

const OF_ANY_YEAR =
  '(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])'

/** Existing days, including the leap days of the Gregorian calendar. */
function daysOf(years: string, leapYears: string): string {
  return `(${years}-(${OF_ANY_YEAR})|${leapYears}-02-29)`
}

const FOURTH = '(0[48]|[2468][048]|[13579][26])'
const DAY = daysOf('(18[5-9]|19[0-9]|2[01][0-9])[0-9]', `(18(5[26]|[68][048]|[79][26])|(19|20|21)${FOURTH}|2000)`)
/** Leaves out the first and last days, because no offset may move an instant out of these years. */
const DAY_OF_INSTANT = daysOf('(190[1-9]|19[1-9][0-9]|20[0-9]{2}|21[0-8][0-9]|219[0-8])', `((19|20|21)${FOURTH}|2000)`)
const ANY_DAY = daysOf('([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])', `([0-9]{2}${FOURTH}|${FOURTH}00)`)
const OFFSET = '(Z|[+-](0[0-9]|1[0-5]):[0-5][0-9])'
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]'
const SECONDS = ':[0-5][0-9](\\.[0-9]{1,9})?'
const instantOn = (day: string) => `${day}T${TIME}(${SECONDS})?${OFFSET}`

/** The contract's own formats in keywords that every validator knows. */
const standardForms: Readonly<Record<string, JsonSchema>> = {
  date: { format: 'date', pattern: `^${DAY}$` },
  // The standard format has seconds.
  instant: { format: 'date-time', pattern: `^${DAY_OF_INSTANT}T${TIME}${SECONDS}${OFFSET}$` },
  'day-or-instant': { pattern: `^(${ANY_DAY}|${instantOn(ANY_DAY)})$` },
  // A pattern that excludes a text needs a look-ahead, which not every validator knows.
  'given-id': {},
  // Unicode's properties need a flag that JSON Schema has not.
  'given-name': {},
  phone: { pattern: '^\\+?[0-9 ().\\-/]{3,40}$' },
  'webhook-url': {
    format: 'uri',
    pattern: "^https://[A-Za-z0-9._:\\[\\]-]+([/?]([A-Za-z0-9_.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$",
  },
  ids: { pattern: '^[^,]+(,[^,]+)*$' },
  'event-types': { pattern: '^[a-z._]+(,[a-z._]+)*$' },
  'day-of-year': { pattern: `^(${OF_ANY_YEAR}|02-29)$` },
  'time-of-day': { pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$' },
  'recorded-instant': { pattern: `^(${DAY_OF_INSTANT}|${instantOn(DAY_OF_INSTANT)})$` },
}

function standardForm(format: string): JsonSchema {
  const { pattern } = formats[format] ?? {}
  return standardForms[format] ?? (pattern === undefined ? { format } : { pattern })
}

/** The replacement of a named schema: a reference, or null to write the schema itself. */
export type Refer = (name: string, schema: TSchema) => JsonSchema | undefined

/** A contract schema as published where it is used. */
export function publishedSchema(schema: TSchema, refer: Refer): JsonSchema {
  const name = nameOf(schema)
  return (name && refer(name, schema)) || publishedBody(schema, refer)
}

/**
 * A contract schema as published where it is defined. A nullable copy of a named schema has its title but not its name, so it drops
 * the example too.
 */
export function publishedBody(schema: TSchema, refer: Refer): JsonSchema {
  const { title, examples, format, trim, emptyIsAbsent, distinct, absentIs, decimals, ...rest } = jsonSchemaOf(
    schema,
  ) as JsonSchema & OwnKeywords
  const inner = (part: JsonSchema) => publishedSchema(part as TSchema, refer)
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = rest
  // One object of the document stands for both forms of an answer, and the concise one lacks them (docs/decisions/0151).
  const required = rest.required?.filter((field) => !('absentIs' in (properties?.[field] ?? {})))
  return {
    ...rest,
    ...(required && { required }),
    ...(decimals && { description: `${rest.description ?? ''} At most ${decimals} decimals.`.trim() }),
    ...(format === undefined ? {} : standardForm(format)),
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

/** The schemas that a document refers to by name. */
export class NamedSchemas {
  readonly #known = new Map<string, JsonSchema>()

  /** A reference. For a schema without a name, the schema itself. */
  published(schema: TSchema): JsonSchema {
    return publishedSchema(schema, this.refer)
  }

  readonly refer = (name: string, schema: TSchema): JsonSchema => {
    if (!this.#known.has(name)) this.#known.set(name, publishedBody(schema, this.refer))
    return { $ref: `#/components/schemas/${name}` }
  }

  /** In the order of their names. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#known].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}
