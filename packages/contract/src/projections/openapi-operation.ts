// One operation in the OpenAPI document: its parameters, body, answers and problems.

import { MAX } from '../limits.ts'
import { paging, responseFormat, updatedSince } from '../list-parameters.ts'
import { idDescription, joinedId, toolOf } from '../names.ts'
import { type Operation, takesBody } from '../operation.ts'
import { readerOf } from '../operations.ts'
import { problems } from '../problems.ts'
import { EventType } from '../resources/webhook.ts'
import { type JsonSchema, jsonSchemaOf } from '../schema/json-schema.ts'
import { exampleOf, Id, nameOf, type TSchema } from '../schema/schema.ts'
import { codeSamples } from './code-samples.ts'
import { exampleAnswer } from './example-answer.ts'
import type { Example, OperationObject, Parameter, Ref, RequestBody, Response } from './openapi-document.ts'
import { headerRefs, metered, type ResponseHeader } from './openapi-headers.ts'
import { linksOf } from './openapi-links.ts'
import { problemResponse } from './openapi-problems.ts'
import { publishedSchema } from './published-schema.ts'

/** An id of a comma-separated list: the comma ends it. */
const NO_COMMA = '^[^,]+$'

/** The name of the one security scheme. */
export const SECURITY = 'key'

export const refer = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** The parameters that many lists share, by component name. */
export const sharedParameters: Readonly<Record<string, { name: string; schema: TSchema }>> = {
  Limit: { name: 'limit', schema: paging.limit },
  Cursor: { name: 'cursor', schema: paging.cursor },
  UpdatedSince: { name: 'updated_since', schema: updatedSince.updated_since },
  ResponseFormat: { name: 'response_format', schema: responseFormat.response_format },
}

export function operationObject(operation: Operation): OperationObject {
  const { id, scope, tag, summary, description, body } = operation
  const tool = toolOf(id)
  return {
    operationId: joinedId(id, '_'),
    tags: [tag],
    summary,
    description: `${description}\n\n${scope === null ? 'Needs no scope.' : `Scope: \`${scope}\`.`}`,
    // OpenAPI 3.1 lists the roles of any scheme here, not those of OAuth alone.
    ...(scope !== null && { security: [{ [SECURITY]: [scope] }] }),
    'x-required-scope': scope,
    'x-codeSamples': codeSamples(operation),
    ...(tool && { 'x-mcp-tool': tool }),
    parameters: parameters(operation),
    ...(body && { requestBody: requestBody(operation, body) }),
    responses: { ...answers(operation), ...problemRefs(operation) },
  }
}

function parameters(operation: Operation): (Parameter | Ref)[] {
  const required = new Set(jsonSchemaOf(operation.query).required)
  const header =
    operation.method === 'GET' ? 'IfNoneMatch' : operation.effect === 'once a key' ? 'IdempotencyKey' : null
  return [
    ...Object.entries(operation.params.properties).map(([name, schema]) => pathParameter(operation, name, schema)),
    ...Object.entries(operation.query.properties).map(([name, schema]) => {
      const shared = Object.keys(sharedParameters).find((key) => sharedParameters[key]?.schema === schema)
      if (shared) return { $ref: `#/components/parameters/${shared}` }
      return queryParameter(name, schema, required.has(name), operation.example.query?.[name])
    }),
    ...(header ? [{ $ref: `#/components/parameters/${header}` }] : []),
  ]
}

function pathParameter(operation: Operation, name: string, schema: TSchema): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description: idDescription(operation, name),
    schema: publishedSchema(schema, refer),
    ...example(operation.example.params?.[name]),
  }
}

export function queryParameter(name: string, source: TSchema, required: boolean, exampleText?: string): Parameter {
  const { description = '', ...schema } = publishedSchema(source, refer)
  const place = { name, in: 'query' as const, ...(required && { required }), description }
  const list = listOf(jsonSchemaOf(source).format)
  if (list === null) return { ...place, schema, ...example(typed(exampleText, schema)) }
  return { ...place, style: 'form', explode: false, schema: list, ...example(exampleText?.split(',')) }
}

/** A comma-separated list of event types or ids is an array to generated clients. An empty one is refused; it is left out instead. */
function listOf(format: string | undefined): JsonSchema | null {
  if (format === 'ids') return filledList({ ...publishedSchema(Id, refer), pattern: NO_COMMA }, MAX.further_branches)
  if (format !== 'event-types') return null
  const items = publishedSchema(EventType, refer)
  return filledList(items, items.enum?.length ?? 0)
}

function filledList(items: JsonSchema, maxItems: number): JsonSchema {
  return { type: 'array', items, minItems: 1, maxItems }
}

/** A parameter's text as a value of its schema's type. */
function typed(exampleText: string | undefined, { type }: JsonSchema): unknown {
  if (exampleText === undefined || type === 'string') return exampleText
  return JSON.parse(exampleText)
}

function example(value: unknown): { example?: unknown } {
  return value === undefined ? {} : { example: value }
}

function requestBody({ example }: Operation, body: TSchema): RequestBody {
  return {
    required: true,
    content: {
      'application/json': {
        schema: publishedSchema(body, refer),
        examples: { request: { value: example.body ?? (nameOf(body) ? exampleOf(body) : {}) } },
      },
    },
  }
}

function answers(operation: Operation): Record<string, Response | Ref> {
  const { status, alsoStatus, method, summary } = operation
  const first: Response = { description: describe(operation), headers: headerRefs(headersOf(operation, status)) }
  if (operation.shape !== 'none') {
    first.content = {
      'application/json': {
        schema: publishedSchema(operation.detailed ?? operation.output, refer),
        examples: answerExamples(operation),
      },
    }
  }
  const links = linksOf(operation)
  if (Object.keys(links).length > 0) first.links = links
  return {
    [status]: first,
    ...(alsoStatus && {
      [alsoStatus]: {
        ...first,
        description: `${summary}: it existed already.`,
        headers: headerRefs(headersOf(operation, alsoStatus)),
      },
    }),
    ...(method === 'GET' && { 304: { $ref: '#/components/responses/NotModified' } }),
  }
}

function describe({ shape, summary, status }: Operation): string {
  if (status === 204) return 'Done; no body.'
  if (shape === 'page') return `${summary}: one page.`
  return `${summary}.`
}

function answerExamples(operation: Operation): Record<string, Example> {
  const concise = { value: exampleAnswer(operation) }
  if (!operation.detailed) return { answer: concise }
  return { concise, detailed: { value: exampleAnswer(operation, operation.detailed) } }
}

function headersOf(operation: Operation, status: number): ResponseHeader[] {
  const { method, effect } = operation
  const located = status === 201 && readerOf(operation) !== undefined
  return [
    ...metered,
    ...(method === 'GET' ? (['ETag'] as const) : []),
    ...(status === 204 ? [] : (['Cache-Control'] as const)),
    ...(located ? (['Location'] as const) : []),
    ...(effect === 'once a key' ? (['Idempotent-Replayed'] as const) : []),
  ]
}

/** The problems that a well-formed client can meet here, by status. `default` covers the rest. */
function problemRefs({ method, scope, ids, unknownIds, problems: own }: Operation): Record<string, Ref> {
  const statuses = [
    400,
    401,
    ...(scope === null ? [] : [403]),
    ...(Object.keys(ids).length > 0 || Object.values(unknownIds).includes('not-found') ? [404] : []),
    ...(takesBody(method) ? [413, 415] : []),
    ...own.map((slug) => problems[slug][0]),
    429,
    500,
    502,
    503,
  ]
  const sorted = [...new Set(statuses)].sort((a, b) => a - b)
  return Object.fromEntries([...sorted, 'default' as const].map((status) => [status, problemResponse(status, own)]))
}
