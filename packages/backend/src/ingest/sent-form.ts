// A record as the clinic's own systems send it: the stored record's schema, less what the service knows better.
import { type TObject, type TSchema, Type } from '@clinic-data/contract/schema'

type JsonSchema = { type?: string | readonly string[]; items?: unknown; properties?: Record<string, JsonSchema> }

/**
 * What may be null may be left out and is then null; a list that is left out is empty; `created_at` that is left out is the
 * time of storing, and `updated_at` always is.
 */
export function sentForm<P extends Record<string, TSchema>>(record: TObject<P>): TObject<Omit<P, 'updated_at'>> {
  const { updated_at: _, ...properties } = record.properties as unknown as Record<string, JsonSchema>
  const optional = (schema: JsonSchema, name: string): JsonSchema => {
    if (name === 'created_at') {
      return Type.Optional({
        ...schema,
        description: 'Default: the time of storing. Later values change nothing.',
      } as never)
    }
    if (isNullable(schema)) return Type.Optional({ ...schema, default: null } as never)
    return schema.type === 'array' ? Type.Optional({ ...schema, default: [] } as never) : schema
  }
  const sent = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, optional(schema, name)]))
  return Type.Object(sent as never, { additionalProperties: false }) as never
}

function isNullable({ type }: JsonSchema): boolean {
  return Array.isArray(type) && type.includes('null')
}
