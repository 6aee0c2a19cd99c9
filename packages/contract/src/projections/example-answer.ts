// The documented answer of an operation, made from its resources' examples.

import type { Operation } from '../operation.ts'
import { type JsonSchema, jsonSchemaOf } from '../schema/json-schema.ts'
import type { TSchema } from '../schema/schema.ts'

/** The example answer in one form of the output, or the operation's own example if it has one. */
export function exampleAnswer(operation: Operation, form: TSchema = operation.output): unknown {
  return operation.example.answer ?? sample(jsonSchemaOf(form))
}

/** Without the optional `meta` of a page, which only an empty one has. */
function sample({ examples, type, properties, required = [], items, enum: choices }: JsonSchema): unknown {
  if (examples) return examples[0]
  if (type?.includes('null') && Array.isArray(type)) return null
  if (properties) {
    const present = Object.entries(properties).filter(([name]) => required.includes(name))
    return Object.fromEntries(present.map(([name, schema]) => [name, sample(schema)]))
  }
  if (items) return [sample(items)]
  if (choices) return choices[0]
  throw new Error(`a ${String(type)} in an answer needs an example`)
}
