// The few schema forms of resources and operations: bounded strings, nullable values, choices, embedded references.

import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { MAX } from '../limits.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { Type } from './type.ts'

export { type Static, type TObject, type TProperties, type TSchema, Type }

type Options = Record<string, unknown>

/**
 * A value or null. Written as `type: [T, 'null']`, never as a union: a union serializes five times slower and gives no clear fault.
 */
export function nullable<S extends TSchema>(schema: S, options: Options = {}) {
  const source = jsonSchemaOf(schema)
  const choices = source.enum ? { enum: [...source.enum, null] } : {}
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [source.type, 'null'], ...choices, ...options })
}

/** A schema that others share, with a description for one field. */
export function about<S extends TSchema>(description: string, schema: S) {
  return Type.Unsafe<Static<S>>({ ...schema, description })
}

/** One of a fixed list of strings. */
export function choice<const T extends readonly string[]>(values: T, options: Options = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options })
}

/** A string of at most `maxLength` characters. */
export function text(maxLength: number, options: Options = {}) {
  return Type.String({ maxLength, ...options })
}

/** An id: a string, even when it looks numeric (specification, Conventions). */
export const Id = text(MAX.id, { minLength: 1 })

/** The id of a record that is taken in. It can stand in a path. */
export const GivenId = text(MAX.id, { minLength: 1, format: 'given-id' })

/** ISO 8601 with the clinic's offset. */
export const Instant = text(MAX.instant, { format: 'date-time' })

export const CreatedAt = nullable(Instant, { description: 'When the record was made.' })

export const UpdatedAt = nullable(Instant, {
  description: 'Rises with every change. Of two copies of one resource, the one with the later `updated_at` is newer.',
})

/** `YYYY-MM-DD`. */
export const LocalDate = text(10, { format: 'date' })

/** A CSS colour that the clinic chose, for example `#2a9d8f`. */
export const Color = text(MAX.color)

/** ISO 4217. */
export const Currency = text(3, { format: 'currency' })

/** An option of an input number in major units: at most three decimals, exactly. The currency allows fewer, most of them two. */
export const thirdDecimal: Options = { decimals: 3 }

/** Major units with at most the decimals of the currency. */
export const Money = Type.Number({ minimum: -MAX.money, maximum: MAX.money })

/** A whole number within the 32-bit range. */
export function whole(minimum: number, maximum: number, options: Options = {}) {
  return Type.Integer({ minimum, maximum, format: 'int32', ...options })
}

export function list<S extends TSchema>(items: S, maxItems: number, options: Options = {}) {
  return Type.Array(items, { maxItems, ...options })
}

/** An object in answers: unnamed fields never leave, and clients must tolerate more fields. */
export function object<P extends TProperties>(properties: P, options: Options = {}) {
  return Type.Object(properties, options)
}

/** An object that a client sends: an unknown property is a fault. */
export function strictObject<P extends TProperties>(properties: P, options: Options = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** Options of an object that a client sends: at least one of these fields. */
export function atLeastOne(...names: readonly [string, string, ...string[]]): Options {
  return { anyOf: names.map((name) => ({ required: [name] })) }
}

/** Options of an object that a client sends: exactly one of these fields. */
export function exactlyOne(...names: readonly [string, string, ...string[]]): Options {
  return { oneOf: names.map((name) => ({ required: [name] })) }
}

/**
 * Options of an object that a client sends: null or a blank text in an optional field means that the field is absent. Applied
 * before all checks, so that readers of the input never see such values. In an object with free keys every key is optional. The published
 * documents do not show it.
 */
export const emptyIsAbsent: Options = { emptyIsAbsent: true }

/** An option of a list that a client sends: repeated items are dropped after the list is checked. Not shown either. */
export const distinct: Options = { distinct: true }

/**
 * Option of a required field of an answer: what it is where a backend of others leaves it out, so that whoever reads always finds the
 * field (docs/decisions/0151). Not shown either.
 */
export const absentIs = (value: null | readonly never[]): Options => ({ absentIs: value })

/** An option of a string that a client sends: white space around it is dropped before it is checked. Not shown either. */
export const trimmed: Options = { trim: true }

/** The name that a person gives to what they make. */
export const GivenName = text(MAX.name, { minLength: 1, ...trimmed, format: 'given-name' })

/** An embedded `(id, name)`: a branch, a provider, a plan. */
export const NamedReference = object({ id: Id, name: text(MAX.name) })

const components = new Map<TSchema, string>()

/** Gives a schema its name in the OpenAPI document, and its documented example. */
export function named<S extends TSchema>(name: string, schema: S, example: Static<S>): S {
  Object.assign(schema, { title: name, examples: [example] })
  components.set(schema, name)
  return schema
}

/** The name given by `named`, if any. */
export function nameOf(schema: TSchema): string | undefined {
  return components.get(schema)
}

/** The example given by `named`. */
export function exampleOf<S extends TSchema>(schema: S): Static<S> {
  const example = jsonSchemaOf(schema).examples?.[0]
  if (example === undefined) throw new Error('a schema without an example')
  return example as Static<S>
}
