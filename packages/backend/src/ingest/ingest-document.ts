// The OpenAPI 3.1 document of the private doors, for whoever connects a clinic's own systems.

import { publishedSchema } from '@clinic-data/contract/projections/json-schema'
import { list, object, type TSchema, Type, text } from '@clinic-data/contract/schema'
import type { IngestOperation } from './ingest-operation.ts'
import { batchOf } from './sent-records.ts'

const Outcome = object({
  id: text(128),
  outcome: Type.Unsafe<string>({ type: 'string', enum: ['created', 'updated', 'unchanged'] }),
})

const INTRODUCTION = `For a clinic's own systems, on a private listener: never open it to the internet.

Each request stores **one record or a batch of up to 1,000** (\`{"records": [...]}\`), whole or not at all: a batch with one
wrong record stores nothing and names every fault. Sending the same again changes nothing, so a request without an answer is
simply sent again. A record is told whole: a field that is left out is null. What has changed is told to the clinic's
integrations as an event, in the same transaction.`

/** @param baseUrl of the public API, where problems are described. */
export function ingestDocument(operations: readonly IngestOperation[], baseUrl: string): object {
  return {
    openapi: '3.1.1',
    info: { title: 'Clinic Data API: ingest', version: '1.0.0', description: INTRODUCTION },
    security: [{ token: [] }],
    paths: Object.fromEntries(operations.map((operation) => [`/ingest/v1${operation.path}`, pathItem(operation)])),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'it_live_…', description: 'A token of one clinic.' },
      },
      responses: {
        problem: {
          description: `A problem (RFC 9457). Its type is described below ${baseUrl}/problems.`,
          content: { 'application/problem+json': { schema: { type: 'object' } } },
        },
      },
    },
  }
}

function pathItem({ id, tag, summary, description, record, example }: IngestOperation) {
  return {
    post: {
      operationId: id,
      tags: [tag],
      summary,
      description,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { anyOf: [published(record), published(batchOf(record))] }, example },
        },
      },
      responses: {
        200: {
          description: 'What became of the record; of a batch, of each in its order.',
          content: {
            'application/json': {
              schema: published(object({ data: Type.Unsafe({ anyOf: [Outcome, list(Outcome, 1_000)] } as never) })),
            },
          },
        },
        default: { $ref: '#/components/responses/problem' },
      },
    },
  }
}

function published(schema: TSchema) {
  return publishedSchema(schema, () => undefined)
}
