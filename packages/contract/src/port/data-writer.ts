// Writes the data of an answer in the contract's form: every field that the operation's schema names, in its order, and no other.
import { serializerOf } from '../input/serializer.ts'
import type { Operation } from '../operation.ts'
import { jsonSchemaOf } from '../schema/json-schema.ts'
import type { TSchema } from '../schema/schema.ts'

/** The rows of a list as the bytes of their JSON: a backend of the same contract has written them (docs/decisions/0156). */
export class WrittenRows {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** Lists alone: a single small resource is parsed and written sooner than its parts are put together. */
export function mayBeWritten({ effect, shape }: Pick<Operation, 'effect' | 'shape'>): boolean {
  return effect === 'none' && isList(shape)
}

function isList(shape: Operation['shape']): boolean {
  return shape === 'page' || shape === 'bounded'
}

/** @throws Error, which quotes no value, when the data lacks a promised field or is no list of the agreed length. */
type WriteData = (data: unknown) => string

/**
 * Compiles the writer of an operation's data, in its concise or its detailed form.
 *
 * @example dataWriter(operations['patients.list'])([row], false) // '[{"id":"p1042","first_name":"Noa",…}]'
 */
export function dataWriter(operation: Operation): (data: unknown, isDetailed: boolean) => string {
  const concise = writerOf(operation, operation.output)
  const detailed = operation.detailed ? writerOf(operation, operation.detailed) : concise
  return (data, isDetailed) => (isDetailed ? detailed : concise)(data)
}

function writerOf({ id, shape }: Operation, output: TSchema): WriteData {
  const schema = propertyOf(output, 'data')
  if (!schema) throw new Error(`${id} has an output without data`)
  if (!isList(shape)) return serializerOf(schema)
  const { items, maxItems } = jsonSchemaOf(schema)
  if (!items || maxItems === undefined) throw new Error(`${id} has an output without a list`)
  const write = serializerOf(items as TSchema)
  return (data) => {
    if (!Array.isArray(data) || data.length > maxItems)
      throw new Error('the backend answered no list of the agreed length')
    return `[${data.map(write).join(',')}]`
  }
}

export function propertyOf(schema: TSchema, name: string): TSchema | undefined {
  return jsonSchemaOf(schema).properties?.[name] as TSchema | undefined
}
