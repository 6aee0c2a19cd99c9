// The OpenAPI 3.1 document: the contract for generators, linters and readers.
import { eventResources } from '../event-examples.ts'
import { allOperations } from '../operations.ts'
import { EventEnvelope } from '../resources/webhook.ts'
import { about } from './guide.ts'
import type { OpenApiDocument, Parameter, PathItem } from './openapi-document.ts'
import { headerRefs, metered, requestHeaders, responseHeaders } from './openapi-headers.ts'
import { operationObject, queryParameter, SECURITY, sharedParameters } from './openapi-operation.ts'
import { ProblemSchema, problemResponses } from './openapi-problems.ts'
import { webhooks } from './openapi-webhooks.ts'
import { NamedSchemas } from './published-schema.ts'
import { inReadingOrder } from './reading-order.ts'
import { tags } from './tags.ts'

/** The version of the contract: `/v1` grows, and its fields are never removed. */
export const CONTRACT_VERSION = '1.0.0'

/**
 * The OpenAPI document of the contract.
 *
 * @param baseUrl the public base address, without a slash at its end.
 * @example openapi('https://api.example.com').paths['/v1/me']
 */
export function openapi(baseUrl: string): OpenApiDocument {
  return onlyUsed({
    openapi: '3.1.1',
    info: {
      title: 'Clinic Data API',
      version: CONTRACT_VERSION,
      summary: "A clinic's data, opened safely to integrations.",
      description: about(baseUrl),
      contact: { name: 'API reference', url: `${baseUrl}/docs` },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: baseUrl, description: baseUrl.startsWith('https:') ? 'Production' : 'Local', 'x-internal': false },
    ],
    security: [{ [SECURITY]: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(),
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        // No scheme `oauth2` beside it: an app finds the addresses by RFC 8414, a token goes where a key goes, and generators would write
        // a second way to send the same header.
        [SECURITY]: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sk_live_…',
          description:
            "A clinic's secret key, or the access token of a connected app. For servers only: never in a browser or a mobile app.",
        },
      },
      schemas: schemas(),
      parameters: parameters(),
      headers: responseHeaders,
      responses: {
        NotModified: {
          description: 'Nothing has changed since the answer that `If-None-Match` names. No body.',
          headers: headerRefs([...metered, 'ETag']),
        },
        ...problemResponses(baseUrl),
      },
    },
  })
}

/** Removes responses, headers and parameters that no operation refers to. */
function onlyUsed(document: OpenApiDocument): OpenApiDocument {
  const { components } = document
  const keep = <T>(kind: string, entries: Record<string, T>, users: unknown): Record<string, T> => {
    const text = JSON.stringify(users)
    return Object.fromEntries(
      Object.entries(entries).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
    )
  }
  const { paths, webhooks: events } = document
  const responses = keep('responses', components.responses, paths)
  const headers = keep('headers', components.headers, [paths, responses])
  const parameters = keep('parameters', components.parameters, [paths, events])
  return { ...document, components: { ...components, parameters, headers, responses } }
}

function paths(): Record<string, PathItem> {
  const items: Record<string, PathItem> = {}
  for (const operation of inReadingOrder(allOperations)) {
    const method = operation.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'
    items[operation.path] = { ...items[operation.path], [method]: operationObject(operation) }
  }
  return items
}

function parameters(): Record<string, Parameter> {
  const shared = Object.entries(sharedParameters).map(([key, { name, schema }]) => [
    key,
    queryParameter(name, schema, false),
  ])
  return { ...Object.fromEntries(shared), ...requestHeaders }
}

/** Every named schema that the document reaches. */
function schemas(): OpenApiDocument['components']['schemas'] {
  const reached = new NamedSchemas()
  const used = allOperations.flatMap(({ body, output, detailed }) => [body ?? output, detailed ?? output])
  for (const schema of [...used, ProblemSchema, EventEnvelope, ...Object.values(eventResources)])
    reached.published(schema)
  return reached.all()
}
