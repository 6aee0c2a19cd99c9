// The OpenAPI 3.1 document of the private doors, for whoever connects a clinic's own systems.
import { TOKEN_RATE } from './admission.ts'
import { documentedEndpoint, documentedOperation, documentedProblems, NamedSchemas } from './documented-doors.ts'
import type { IngestEndpoint } from './ingest-endpoint.ts'
import { type IngestOperation, MAX_RECORDS } from './ingest-operation.ts'
import { ingestTags } from './tags.ts'

const INTRODUCTION = `For a clinic's own systems, on a private listener: never open it to the internet.

Where records are taken, a request stores **one record or a batch of up to ${MAX_RECORDS.toLocaleString('en')}** (\`{"records": [...]}\`), whole or not at
all: a batch with one wrong record stores nothing and names every fault. Sending the same again changes nothing, so a request
without an answer is simply sent again. A record is told whole: a field that is left out is null, or has its default. What
has changed is told to the clinic's integrations as an event, in the same transaction.

A token may send ${TOKEN_RATE.requests.toLocaleString('en')} requests in any ${TOKEN_RATE.window_seconds} seconds, a batch counting once; what is above that is answered 429 with \`Retry-After\`.`

/** @param baseUrl of the public API, where problems are described. */
export function ingestDocument(
  operations: readonly IngestOperation[],
  endpoints: readonly IngestEndpoint[],
  baseUrl: string,
): object {
  const schemas = new NamedSchemas()
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) paths[operation.path] = { post: documentedOperation(operation, schemas) }
  for (const endpoint of endpoints) {
    const { path, method } = endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: documentedEndpoint(endpoint, schemas) }
  }
  const used = new Set<string>([...operations, ...endpoints].map(({ tag }) => tag))
  const responses = documentedProblems(baseUrl, schemas)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Clinic Data API: private doors',
      version: '1.0.0',
      summary: "What a clinic's own systems tell the service.",
      description: INTRODUCTION,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/ingest/v1', description: 'The private listener that serves this document.' }],
    security: [{ token: [] }],
    tags: Object.entries(ingestTags).flatMap(([name, description]) => (used.has(name) ? { name, description } : [])),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'it_live_…', description: 'A token of one clinic.' },
      },
      schemas: schemas.all(),
      responses,
    },
  }
}
