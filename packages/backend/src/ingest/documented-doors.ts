// The private doors as the operations of their OpenAPI document.
import { MAX, type ProblemSlug, problems } from '@clinic-data/contract'
import { type JsonSchema, publishedBody, publishedSchema } from '@clinic-data/contract/projections/json-schema'
import { exampleProblem, ProblemSchema } from '@clinic-data/contract/projections/openapi-problems'
import { choice, Id, named, object, type TSchema } from '@clinic-data/contract/schema'
import { fileMediaTypes } from './files.ts'
import type { IngestEndpoint } from './ingest-endpoint.ts'
import { type IngestOperation, MAX_RECORDS, outcomes } from './ingest-operation.ts'

/** The schemas that a document refers to by name. */
export class NamedSchemas {
  readonly #known = new Map<string, JsonSchema>()

  /** A reference; of a schema without a name the schema itself. */
  published(schema: TSchema): JsonSchema {
    return publishedSchema(schema, this.refer)
  }

  readonly refer = (name: string, schema: TSchema): JsonSchema => {
    if (!this.#known.has(name)) this.#known.set(name, publishedBody(schema, this.refer))
    return { $ref: `#/components/schemas/${name}` }
  }

  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#known].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

const Outcome = named(
  'Outcome',
  object({ id: Id, outcome: choice(outcomes, { description: 'What became of the record.' }) }),
  { id: 'p1042', outcome: 'created' },
)

const batchOf = (items: JsonSchema): JsonSchema => ({ type: 'array', minItems: 1, maxItems: MAX_RECORDS, items })

/** One that takes records. */
export function documentedOperation(operation: IngestOperation, schemas: NamedSchemas) {
  const { id, record, key, example, becomes } = operation
  const single = schemas.refer(nameOf(id, 'Record'), withChoicesNamed(record))
  const batch = { type: 'object', required: ['records'], properties: { records: batchOf(single) } }
  const outcome = schemas.published(Outcome)
  const told = { id: (example as Record<string, unknown>)[key[0] ?? ''] ?? 'out_3101', outcome: becomes }
  return {
    ...headOf(operation),
    requestBody: {
      required: true,
      ...json(
        { anyOf: [single, { ...batch, additionalProperties: false }] },
        { one: example, batch: { records: [example] } },
      ),
    },
    responses: {
      200: {
        description: 'What became of the record; of a batch, of each in its order.',
        ...json(dataOf({ anyOf: [outcome, batchOf(outcome)] }), { one: { data: told }, batch: { data: [told] } }),
      },
      ...problemRefs(['invalid-request', 'content-too-large', 'unsupported-media-type', 'unprocessable']),
    },
  }
}

interface Choice {
  required: readonly string[]
  properties?: object
}

/** A choice of fields describes them where it is made, or linters take them for unknown. */
function withChoicesNamed(record: TSchema): TSchema {
  const named = (choices: readonly Choice[]) =>
    choices.map((one) => ({ ...one, properties: Object.fromEntries(one.required.map((name) => [name, {}])) }))
  const { anyOf, oneOf } = record as unknown as Partial<Record<'anyOf' | 'oneOf', readonly Choice[]>>
  return { ...record, ...(anyOf && { anyOf: named(anyOf) }), ...(oneOf && { oneOf: named(oneOf) }) } as TSchema
}

/** One that takes none. */
export function documentedEndpoint(endpoint: IngestEndpoint, schemas: NamedSchemas) {
  const { id, path, body, data, answer, example } = endpoint
  const isUpload = body === 'file'
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      ...{ name, in: 'path', required: true, description: 'Whose.' },
      schema: schemas.published(Id),
    })),
    ...(isUpload ? [FILE_NAME] : []),
  ]
  return {
    ...headOf(endpoint),
    parameters,
    ...(isUpload && {
      requestBody: { required: true, content: Object.fromEntries(fileMediaTypes.map((type) => [type, {}])) },
    }),
    ...(typeof body === 'object' && {
      requestBody: { required: true, ...json(schemas.refer(nameOf(id, 'Body'), body), { request: example }) },
    }),
    responses: {
      200: { description: 'Done.', ...json(dataOf(schemas.published(data)), { answer: { data: answer } }) },
      ...problemRefs([
        ...(parameters.length > 0 || body ? (['invalid-request'] as const) : []),
        ...(path.includes('{') ? (['not-found'] as const) : []),
        ...(body ? (['content-too-large', 'unsupported-media-type'] as const) : []),
        ...(typeof body === 'object' ? (['unprocessable'] as const) : []),
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

function headOf({ id, tag, summary, description }: Pick<IngestEndpoint, 'id' | 'tag' | 'summary' | 'description'>) {
  return { operationId: id.replaceAll('.', '_'), tags: [tag], summary, description }
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

function dataOf(schema: JsonSchema): JsonSchema {
  return { type: 'object', required: ['data'], properties: { data: schema } }
}

/** What any of them can answer. */
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

/** The problems, by their slugs; `problem` is any other. */
export function documentedProblems(baseUrl: string, schemas: NamedSchemas): Record<string, object> {
  const schema = schemas.published(ProblemSchema)
  const content = (slug: ProblemSlug) => ({
    'application/problem+json': { schema, examples: { [slug]: { value: exampleProblem(baseUrl, slug) } } },
  })
  return {
    ...Object.fromEntries(DOCUMENTED.map((slug) => [slug, { description: helpOf(slug), content: content(slug) }])),
    problem: { description: 'Any other problem, all of them rare.', content: content('request-timeout') },
  }
}

function helpOf(slug: ProblemSlug): string {
  if (slug === 'unauthorized') return 'The token is missing, malformed or revoked.'
  return problems[slug][2]
}
