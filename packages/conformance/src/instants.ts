// Finds the instants in an answer, by its schema, each with its place.

interface Schema {
  format?: string
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
}

export interface FoundInstant {
  /** A JSON pointer into the answer. */
  place: string
  /** The field's name. */
  field: string
  text: string
}

/** @example instantsIn(Appointment, row) // [{ place: '/start', field: 'start', text: '2026-07-14T10:00:00+03:00' }, …] */
export function instantsIn(schema: object, value: unknown): FoundInstant[] {
  return [...found(schema as Schema, value, '', '')]
}

function* found(
  { format, properties, items }: Schema,
  value: unknown,
  place: string,
  field: string,
): Generator<FoundInstant> {
  if (format === 'date-time' && typeof value === 'string') yield { place, field, text: value }
  if (items && Array.isArray(value))
    for (const [i, inner] of value.entries()) yield* found(items, inner, `${place}/${i}`, field)
  if (!properties || typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(properties)) {
    yield* found(inner, (value as Record<string, unknown>)[name], `${place}/${name}`, name)
  }
}
