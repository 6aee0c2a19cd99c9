// A whole record from what is known of it: a source names only the fields that it fills.
import { type JsonSchema, jsonSchemaOf } from '@clinic-data/contract/json-schema'
import type { Static, TObject, TProperties } from '@clinic-data/contract/schema'

type Blank<R> = { [K in keyof R]: null extends R[K] ? K : R[K] extends readonly unknown[] ? K : never }[keyof R]

/** Nullable fields and lists may be left out. */
export type Brief<R> = Omit<R, Blank<R>> & Partial<Pick<R, Blank<R>>>

const blanks = new WeakMap<TObject, object>()

/** Completes a record: a missing field becomes null or an empty list. */
export function complete<P extends TProperties>(
  schema: TObject<P>,
  known: Brief<Static<TObject<P>>>,
): Static<TObject<P>> {
  const blank = blanks.get(schema) ?? blankOf(schema)
  blanks.set(schema, blank)
  // Whole: by its type, `known` has every field that has no blank.
  return { ...blank, ...known } as Static<TObject<P>>
}

function blankOf(schema: TObject): object {
  const fields = Object.entries(jsonSchemaOf(schema).properties ?? {})
  return Object.fromEntries(
    fields.map(([name, field]) => [name, blankFor(field)]).filter(([, blank]) => blank !== undefined),
  )
}

const NONE: readonly never[] = Object.freeze([])

/** Returns what a field has that nobody filled: null or an empty list. Undefined where the schema demands a value. */
export function blankFor({ type }: JsonSchema): null | readonly never[] | undefined {
  if (Array.isArray(type) && type.includes('null')) return null
  return type === 'array' ? NONE : undefined
}
