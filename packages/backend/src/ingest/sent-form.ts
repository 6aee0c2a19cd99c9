// A record as the clinic's own systems send it: the stored record's schema without the fields that the service sets.
import { type JsonSchema, jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { type TObject, type TSchema, Type } from '@clinic-data/contract/schema'

/**
 * A nullable field may be left out and is then null, also inside of the record. A missing list is empty. A missing `created_at` is
 * the time of storing, and `updated_at` always is.
 *
 * @param defaults of further optional fields.
 * @example sentForm(TreatmentRecord, { quantity: 1, discount: 0 })
 */
export function sentForm<P extends Record<string, TSchema>>(
  record: TObject<P>,
  defaults: Readonly<Record<string, unknown>> = {},
): TObject<Omit<P, 'updated_at'>> {
  const { updated_at: _, created_at, ...properties } = jsonSchemaOf(record).properties ?? {}
  const sent = {
    ...completed(properties, defaults),
    ...(created_at && {
      created_at: Type.Optional({
        ...created_at,
        description: 'Default: the time of storing. Later values change nothing.',
      } as TSchema),
    }),
  }
  // The compiler does not follow the fields through `completed`.
  return Type.Object(sent, { additionalProperties: false }) as unknown as TObject<Omit<P, 'updated_at'>>
}

function completed(
  properties: Record<string, JsonSchema>,
  defaults: Readonly<Record<string, unknown>> = {},
): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const value = name in defaults ? defaults[name] : defaultOf(schema)
      const sent = inside(schema)
      return [name, (value === undefined ? sent : Type.Optional({ ...sent, default: value } as TSchema)) as TSchema]
    }),
  )
}

/** The objects within a field may leave out as much as the record itself. */
function inside(schema: JsonSchema): JsonSchema {
  const { items, properties } = schema
  if (items !== undefined) return { ...schema, items: inside(items) }
  if (properties === undefined) return schema
  const { required = [], ...rest } = Type.Object(completed(properties)) as { required?: string[]; properties: object }
  return { ...schema, ...{ required, properties: rest.properties as Record<string, JsonSchema> } }
}

function defaultOf({ type }: JsonSchema): unknown {
  if (Array.isArray(type) && type.includes('null')) return null
  return type === 'array' ? [] : undefined
}
