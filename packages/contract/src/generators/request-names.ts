// The names of what clients send: the body of each request, and the objects and choices inside. Without a name each generator makes one
// of its own, such as `QueryDimensionsInner` and `ChatMessagesCreateRequestAllOfTemplate`.
import type { OpenApiDocument, OperationObject, PathItem } from '../projections/openapi-document.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { refer } from './every-part.ts'
import { typeOf } from './part-names.ts'

/** By body and field. */
const partNames: Readonly<Record<string, string>> = {
  'ChatMessagesCreateRequest.template': 'ChatMessageTemplate',
  'Query.dimensions': 'QueryDimension',
}

/** The document with a component for each body, and for each object and choice inside. */
export function withNamedRequests(document: OpenApiDocument): OpenApiDocument {
  const { components, paths } = document
  const schemas = { ...components.schemas }
  const add = (name: string, schema: JsonSchema) => {
    if (name in schemas) throw new Error(`two objects named ${name}`)
    schemas[name] = schema
    return refer(name)
  }
  const body = (operation: OperationObject, schema: JsonSchema) => {
    const { $ref } = schema
    if ($ref === undefined) {
      const name = `${typeOf(operation)}Request`
      return add(name, inside(name, schema, add))
    }
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    schemas[name] = inside(name, schemas[name] ?? {}, add)
    return schema
  }
  const named = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, withBody(operation, body)])),
  ])
  return {
    ...document,
    paths: Object.fromEntries(named) as Record<string, PathItem>,
    components: { ...components, schemas },
  }
}

function withBody(
  operation: OperationObject,
  named: (operation: OperationObject, schema: JsonSchema) => JsonSchema,
): OperationObject {
  const { requestBody } = operation
  if (!requestBody) return operation
  const content = Object.entries(requestBody.content).map(([type, media]) => [
    type,
    { ...media, schema: named(operation, media.schema) },
  ])
  return { ...operation, requestBody: { ...requestBody, content: Object.fromEntries(content) } }
}

type Add = (name: string, schema: JsonSchema) => JsonSchema

function inside(name: string, schema: JsonSchema, add: Add): JsonSchema {
  const { properties = {} } = schema
  const fields = Object.entries(properties).map(([field, part]) => [field, partOf(`${name}.${field}`, part, add)])
  return { ...schema, properties: Object.fromEntries(fields) }
}

function partOf(place: string, part: JsonSchema, add: Add): JsonSchema {
  if (part.items) return { ...part, items: partOf(place, part.items, add) }
  if (!part.properties && !part.anyOf) return part
  const name = partNames[place]
  if (name === undefined) throw new Error(`a part of a request without a name: ${place}`)
  const { description, ...object } = part
  return { ...add(name, object), ...(description !== undefined && { description }) }
}
