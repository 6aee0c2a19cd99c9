// Changes every schema of an OpenAPI document, or of a part of it.
import type { JsonSchema } from '../schema/json-schema.ts'

/** Where the document holds values, not schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'x-codeSamples'])

/** Returns what changes every part of a document, from the inside out. */
export function everyPart(change: (schema: JsonSchema) => JsonSchema): <T>(part: T) => T {
  const changed = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(changed)
    if (typeof part !== 'object' || part === null) return part
    const inner = Object.entries(part).map(([key, value]) => [key, VALUES.has(key) ? value : changed(value)])
    return change(Object.fromEntries(inner))
  }
  return changed as <T>(part: T) => T
}

export function refer(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}
