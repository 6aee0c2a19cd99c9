// A client's guarantees, read from an OpenAPI document as one line each. `/v1` may add lines, but never remove one.

import type { OpenApiDocument, OperationObject, Parameter, Ref, Response } from '../src/projections/openapi-document.ts'
import type { JsonSchema } from '../src/schema/json-schema.ts'

type Direction = 'request' | 'answer'

/** Every promise of a document, sorted. */
export function promises(document: OpenApiDocument): readonly string[] {
  const lines = new Set<string>()
  const reached = new Set<string>()
  const say = (line: string) => lines.add(line)

  /**
   * The promises of a schema: its type and values, and for an object each field and whether it may be left out or is always
   * present.
   */
  const schemaAt = (place: string, schema: JsonSchema, direction: Direction): void => {
    if (schema.$ref) {
      const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
      say(`${place}: ${name}`)
      component(name, direction)
      const concise = name.replace(/Detailed$/, '')
      if (direction === 'request' || concise === name || !hasAllOf(name, concise)) return
      say(`${place}: ${concise}`)
      component(concise, direction)
      return
    }
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
    say(`${place}: ${types.join(' or ')}`)
    for (const value of schema.enum ?? []) if (value !== null) say(`${place} = ${value}`)
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const required = schema.required?.includes(name) ?? false
      if (direction === 'answer' ? required : !required)
        say(`${place}.${name} ${direction === 'answer' ? 'always' : 'optional'}`)
      schemaAt(`${place}.${name}`, field, direction)
    }
    if (schema.items) schemaAt(`${place}[]`, schema.items, direction)
    for (const variant of schema.anyOf ?? []) schemaAt(`${place} either`, variant, direction)
  }

  const component = (name: string, direction: Direction): void => {
    const key = `${direction} ${name}`
    const schema = document.components.schemas[name]
    if (reached.has(key) || !schema) return
    reached.add(key)
    schemaAt(key, schema, direction)
  }

  /** Whether a form of a resource keeps what another one promises: an answer may become the detailed one. */
  const hasAllOf = (form: string, other: string): boolean => {
    const [whole, part] = [document.components.schemas[form], document.components.schemas[other]]
    const fields = Object.entries(part?.properties ?? {})
    const isSame = ([field, schema]: [string, JsonSchema]) =>
      JSON.stringify(whole?.properties?.[field]) === JSON.stringify(schema)
    return fields.length > 0 && fields.every(isSame) && new Set(part?.required).isSubsetOf(new Set(whole?.required))
  }

  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      operationAt(`${method.toUpperCase()} ${path}`, operation, document, say, schemaAt)
    }
  }
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    for (const ref of post.parameters) say(`event ${type} header ${resolve(document, ref).name}`)
    schemaAt(`event ${type}`, post.requestBody.content['application/json'].schema, 'answer')
  }
  return [...lines].sort()
}

function operationAt(
  place: string,
  operation: OperationObject,
  document: OpenApiDocument,
  say: (line: string) => void,
  schemaAt: (place: string, schema: JsonSchema, direction: Direction) => void,
): void {
  say(`${place} is ${operation.operationId}`)
  say(`${place} needs ${operation['x-required-scope']}`)
  for (const one of operation.parameters) {
    const { name, in: where, required, schema } = resolve(document, one)
    if (!required) say(`${place} ${where} ${name} optional`)
    schemaAt(`${place} ${where} ${name}`, schema, 'request')
  }
  if (operation.requestBody)
    schemaAt(`${place} body`, operation.requestBody.content['application/json'].schema, 'request')
  for (const [status, response] of Object.entries(operation.responses)) {
    say(`${place} ${status}`)
    const { content } = response as Response
    if (content?.['application/json']) schemaAt(`${place} ${status}`, content['application/json'].schema, 'answer')
  }
}

function resolve(document: OpenApiDocument, one: Parameter | Ref): Parameter {
  if (!('$ref' in one)) return one
  const found = document.components.parameters[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)]
  if (!found) throw new Error(`nothing at ${one.$ref}`)
  return found
}
