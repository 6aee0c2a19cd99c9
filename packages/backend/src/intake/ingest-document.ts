// The OpenAPI 3.1 document of the ingest API, for developers who connect a clinic's own systems.
import { MAX, one, type ProblemSlug, problems } from '@clinic-data/contract'
import { type JsonSchema, jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { joinedId } from '@clinic-data/contract/names'
import { exampleProblem, ProblemSchema } from '@clinic-data/contract/projections/openapi-problems'
import { NamedSchemas } from '@clinic-data/contract/projections/published-schema'
import { choice, Id, list, named, object, type TSchema, Type } from '@clinic-data/contract/schema'
import {
  type IngestOperation,
  MAX_RECORDS,
  outcomes,
  type PlainOperation,
  type RecordsOperation,
} from '../ingest/ingest-operation.ts'
import { ingestTags } from '../ingest/tags.ts'
import { TOKEN_RATE } from './admission.ts'
import { batchOf } from './sent-records.ts'

const INTRODUCTION = `This API is for a clinic's own systems. It is served on a private listener: never open it to the internet.

A request that stores records takes **one record or a batch of up to ${MAX_RECORDS.toLocaleString('en')}** (\`{"records": [...]}\`). It is stored whole or not at
all: if one record of a batch is wrong, nothing is stored and every fault is named. Sending the same again changes nothing. So
if a request gets no answer, send it again. Send every record whole: a field that is left out becomes null, or its default. A
change fires an event for the clinic's integrations, in the same transaction.

A token may send ${TOKEN_RATE.requests.toLocaleString('en')} requests in any ${TOKEN_RATE.window_seconds} seconds. A batch counts once. Requests beyond that get 429 with \`Retry-After\`.`

/** @param baseUrl of the public API, where problems are described. */
export function ingestDocument(operations: readonly IngestOperation[], baseUrl: string): object {
  const schemas = new NamedSchemas()
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method.toLowerCase()]: documented(operation, schemas) }
  }
  const used = new Set<string>(operations.map(({ tag }) => tag))
  const responses = documentedProblems(baseUrl, schemas)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Clinic Data API: ingest',
      version: '1.0.0',
      summary: "How a clinic's own systems send its data to the service.",
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

const Outcome = named(
  'Outcome',
  object({ id: Id, outcome: choice(outcomes, { description: 'What became of the record.' }) }),
  { id: 'p1042', outcome: 'created' },
)

const Outcomes = one(Type.Unsafe({ anyOf: [Outcome, list(Outcome, MAX_RECORDS, { minItems: 1 })] }))

function documented(operation: IngestOperation, schemas: NamedSchemas) {
  const { id, tag, summary, description } = operation
  const head = { operationId: joinedId(id, '_'), tags: [tag], summary, description }
  return { ...head, ...('record' in operation ? ofRecords(operation, schemas) : ofPlain(operation, schemas)) }
}

function ofRecords({ id, record, key, example, becomes }: RecordsOperation, schemas: NamedSchemas) {
  const single = schemas.refer(nameOf(id, 'Record'), withChoicesNamed(record))
  const batch = schemas.published(batchOf(single as TSchema))
  const answered = { id: (example as Record<string, unknown>)[key[0] ?? ''] ?? 'out_3101', outcome: becomes }
  return {
    requestBody: {
      required: true,
      ...json({ anyOf: [single, batch] }, { one: example, batch: { records: [example] } }),
    },
    responses: {
      200: {
        description: 'What became of the record. For a batch: of each record, in their order.',
        ...json(schemas.published(Outcomes), { one: { data: answered }, batch: { data: [answered] } }),
      },
      ...problemRefs(['invalid-request', 'content-too-large', 'unsupported-media-type', 'unprocessable']),
    },
  }
}

/** Describes the fields of a choice where it is made: otherwise linters report them as unknown. */
function withChoicesNamed(record: TSchema): TSchema {
  const named = (choices: readonly JsonSchema[]) =>
    choices.map((one) => ({ ...one, properties: Object.fromEntries((one.required ?? []).map((name) => [name, {}])) }))
  const { anyOf, oneOf } = jsonSchemaOf(record)
  return { ...record, ...(anyOf && { anyOf: named(anyOf) }), ...(oneOf && { oneOf: named(oneOf) }) } as TSchema
}

function ofPlain({ id, params, body, uploads, output, example }: PlainOperation, schemas: NamedSchemas) {
  const ids = Object.entries(params.properties).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    description: 'The id.',
    schema: schemas.published(schema),
  }))
  return {
    parameters: [...ids, ...(uploads ? [FILE_NAME] : [])],
    ...(uploads && { requestBody: { required: true, content: Object.fromEntries(uploads.map((type) => [type, {}])) } }),
    ...(body && {
      requestBody: { required: true, ...json(schemas.refer(nameOf(id, 'Body'), body), { request: example.body }) },
    }),
    responses: {
      200: { description: 'Done.', ...json(schemas.published(output), { answer: example.answer }) },
      ...problemRefs([
        ...(ids.length > 0 ? (['invalid-request', 'not-found'] as const) : []),
        ...(body || uploads ? (['invalid-request', 'content-too-large', 'unsupported-media-type'] as const) : []),
        ...(body ? (['unprocessable'] as const) : []),
      ]),
    },
  }
}

const FILE_NAME = {
  name: 'X-File-Name',
  in: 'header',
  required: true,
  description: 'The name under which the file is downloaded, as percent-encoded UTF-8.',
  schema: { type: 'string', minLength: 1, maxLength: 3 * 4 * MAX.file_name },
  example: 'call%207710.ogg',
}

/** `appointments.store` as `AppointmentsStoreRecord`. */
function nameOf(id: string, kind: string): string {
  const words = [...id.split(/[._]/), kind]
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function json(schema: JsonSchema, examples: Record<string, unknown>) {
  const shown = Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))
  return { content: { 'application/json': { schema, examples: shown } } }
}

/** The problems that any operation can answer. */
const COMMON: readonly ProblemSlug[] = ['unauthorized', 'rate-limited', 'internal-error', 'service-unavailable']

function problemRefs(own: readonly ProblemSlug[]): Record<string, { $ref: string }> {
  const slugs = [...own, ...COMMON]
  const refs = slugs.map((slug) => [problems[slug][0], { $ref: `#/components/responses/${slug}` }] as const)
  return { ...Object.fromEntries(refs), default: { $ref: '#/components/responses/problem' } }
}

const DOCUMENTED: readonly ProblemSlug[] = [
  ...COMMON,
  'invalid-request',
  'not-found',
  'content-too-large',
  'unsupported-media-type',
  'unprocessable',
]

/** The problems by their slugs. `problem` is any other. */
function documentedProblems(baseUrl: string, schemas: NamedSchemas): Record<string, object> {
  const schema = schemas.published(ProblemSchema)
  const content = (slug: ProblemSlug) => ({
    'application/problem+json': { schema, examples: { [slug]: { value: exampleProblem(baseUrl, slug) } } },
  })
  return {
    ...Object.fromEntries(DOCUMENTED.map((slug) => [slug, { description: helpOf(slug), content: content(slug) }])),
    problem: { description: 'Any other problem. They are rare.', content: content('request-timeout') },
  }
}

function helpOf(slug: ProblemSlug): string {
  if (slug === 'unauthorized') return 'The token is missing, malformed or revoked.'
  return problems[slug][2]
}
