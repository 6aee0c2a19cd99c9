// JSON Schema in the keywords that the contract's schemas use.
import type { TSchema } from 'typebox'

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

/** A contract schema as the JSON Schema that it is: TypeBox types a schema by what it describes, not by its keywords. */
export function jsonSchemaOf(schema: TSchema): JsonSchema {
  return schema as unknown as JsonSchema
}
