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
  if?: JsonSchema
  else?: JsonSchema
  'x-enum-varnames'?: readonly string[]
  /** The values that are known today. Others may come. */
  'x-extensible-enum'?: readonly string[]
}

/** Types a contract schema by its JSON Schema keywords. TypeBox types it by the values that it describes. */
export function jsonSchemaOf(schema: TSchema): JsonSchema {
  return schema as TSchema & JsonSchema
}
