// The builders of TypeBox that the contract uses, with its types. TypeBox itself has hundreds of modules, which every start of every
// program would load; here its types alone are used (docs/decisions/0088-types-from-typebox-builders-of-our-own.md).
import type { TProperties, TSchema, Type as TypeBox } from 'typebox'

type Builders = 'Array' | 'Boolean' | 'Integer' | 'Literal' | 'Number' | 'Object' | 'Optional' | 'String' | 'Union'
type Options = object | undefined

/** The optional properties. Their copies, with a description of their own for example, are not. */
const optional = new WeakSet<TSchema>()

function objectOf(properties: TProperties, options: Options) {
  const names = Object.keys(properties)
  const required = names.filter((name) => !optional.has(properties[name] ?? {}))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

function optionalCopy(schema: TSchema) {
  const copy = { ...schema }
  optional.add(copy)
  return copy
}

// Typed as TypeBox's own builders, of which they are a part: they make the same plain objects.
export const Type = {
  Array: (items: TSchema, options: Options) => ({ type: 'array', items, ...options }),
  Boolean: (options: Options) => ({ type: 'boolean', ...options }),
  Integer: (options: Options) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options: Options) => ({ type: typeof value, const: value, ...options }),
  Number: (options: Options) => ({ type: 'number', ...options }),
  Object: objectOf,
  Optional: optionalCopy,
  String: (options: Options) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly TSchema[], options: Options) => ({ anyOf, ...options }),
  Unknown: (options: Options) => ({ ...options }),
  Unsafe: (schema: TSchema) => ({ ...schema }),
} as unknown as Pick<typeof TypeBox, Builders | 'Unknown' | 'Unsafe'>
