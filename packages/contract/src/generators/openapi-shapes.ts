// The OpenAPI document in the forms that client generators read. Each form of a request accepts the same values as the contract's own:
// shared values and unions have names, and a choice between fields is a condition instead of a union of objects without fields
// (docs/decisions/0039). Answers are open to what `/v1` may add.
import { grains, operators } from '../analytics/dataset.ts'
import { datasetNames } from '../analytics/datasets.ts'
import { eventTypes } from '../event-types.ts'
import type { OpenApiDocument } from '../projections/openapi-document.ts'
import { callDirections, callStatuses } from '../resources/call.ts'
import { messageStatuses, messageTypes, templateCategories } from '../resources/chat.ts'
import { leadSources } from '../resources/lead.ts'
import { genders } from '../resources/patient.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { allScopes } from '../scopes.ts'
import { everyPart, refer } from './every-part.ts'
import { withOpenAnswers } from './open-answers.ts'
import { withNamedRequests } from './request-names.ts'

/**
 * The names of lists of values that several fields share. No value is in two of them: Go's generator names constants by their values
 * alone, so the same one in two lists would not compile.
 */
export const sharedValues: Readonly<Record<string, readonly string[]>> = {
  CallStatus: callStatuses,
  DatasetName: datasetNames,
  Direction: callDirections,
  EventType: eventTypes,
  Gender: genders,
  Grain: grains,
  LeadSource: leadSources,
  MessageStatus: messageStatuses,
  MessageType: messageTypes,
  Operator: operators,
  Scope: allScopes,
  TemplateCategory: templateCategories,
}
const nameOfValues = new Map(Object.entries(sharedValues).map(([name, values]) => [values.join(), name]))

/** The names of unions, by the types that they unite. */
const unions: Readonly<Record<string, string>> = {
  'string,number,boolean': 'Scalar',
  'string,number,boolean,array': 'FilterValue',
  'string,number,boolean,null': 'Cell',
}

/**
 * The document that is served and published.
 *
 * @example forGenerators(openapi('https://api.example.com')).components.schemas.Grain // { type: 'string', enum: ['day', …] }
 */
export function forGenerators(document: OpenApiDocument): OpenApiDocument {
  const named: Record<string, JsonSchema> = {}
  const opened = withNamedRequests(withOpenAnswers(document))
  const types = new Set(Object.keys(opened.components.schemas))
  const shape = everyPart((schema) => shaped(withOwnConstants(schema, types), named))
  const { components, ...rest } = shape(opened)
  const schemas = Object.entries({ ...named, ...components.schemas }).sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...rest, components: { ...components, schemas: everyPart(withPlainDay)(Object.fromEntries(schemas)) } }
}

function shaped(schema: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  const { type } = schema
  if (Array.isArray(schema.anyOf)) return withCondition(schema)
  if (Array.isArray(schema.enum)) return withNamedValues(schema, named)
  if (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1) return withNamedUnion(schema, named)
  if ([type].flat().includes('number') && schema.format === undefined) return { ...schema, format: 'double' }
  return schema
}

/** A list of values by its name. Null is not one of the values but another type. */
function withNamedValues(schema: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  const { type: _, enum: listed = [], ...rest } = schema
  const values = listed.filter((value) => value !== null)
  const name = nameOfValues.get(values.join())
  if (name !== undefined) named[name] = { type: 'string', enum: values }
  const list = name === undefined ? { type: 'string', enum: values } : refer(name)
  return values.length === listed.length ? { ...list, ...rest } : { anyOf: [list, { type: 'null' }], ...rest }
}

/** Several types as a union by its name. Each part has the keywords that bound its type. */
function withNamedUnion(schema: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  const { type = [], maxLength, items, maxItems, ...rest } = schema
  const name = unions[String(type)]
  if (name === undefined) throw new Error(`a union without a name: ${String(type)}`)
  const bounds: Record<string, JsonSchema> = {
    string: { ...(maxLength !== undefined && { maxLength }) },
    number: { format: 'double' },
    array: { ...(items && { items }), ...(maxItems !== undefined && { maxItems }) },
  }
  const union = { anyOf: [...type].map((one) => ({ type: one, ...bounds[one] })) }
  if (named[name] && JSON.stringify(named[name]) !== JSON.stringify(union)) throw new Error(`two unions named ${name}`)
  named[name] = union
  return { ...refer(name), ...rest }
}

/** One of two fields is required: a condition, because a union of objects without fields is nothing to a generator. */
function withCondition(schema: JsonSchema): JsonSchema {
  const { anyOf = [], ...rest } = schema
  const [first, second, ...more] = anyOf
  const isRequirement = (part: JsonSchema) => Object.keys(part).join() === 'required'
  if (!first || !second || more.length > 0 || !isRequirement(first) || !isRequirement(second)) return schema
  const requiring = ({ required = [] }: JsonSchema): JsonSchema => ({
    properties: Object.fromEntries(required.map((name) => [name, rest.properties?.[name] ?? {}])),
    required,
    // openapi-typescript checks examples as if each schema without this refused all other properties.
    additionalProperties: true,
  })
  return { ...rest, if: requiring(first), else: requiring(second) }
}

/** A day of a resource, which is only answered, needs no pattern beside its format: PHP's client compares it with a day and a time. */
function withPlainDay(schema: JsonSchema): JsonSchema {
  const { pattern: _, ...day } = schema
  return schema.format === 'date' ? day : schema
}

/** A value that is spelt like a type gets a constant of another name: oapi-codegen calls both alike. */
function withOwnConstants(schema: JsonSchema, types: ReadonlySet<string>): JsonSchema {
  const values = Array.isArray(schema.enum) ? schema.enum.map(String) : []
  const isType = (value: string) => types.has(value.charAt(0).toUpperCase() + value.slice(1))
  if (!values.some(isType)) return schema
  const constants = values.map((value) => value.toUpperCase() + (isType(value) ? '_VALUE' : ''))
  return { ...schema, 'x-enum-varnames': constants }
}
