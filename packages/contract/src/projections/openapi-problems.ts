// The problems in the OpenAPI document: the schema of every error body, and one response per status.
import { MAX } from '../limits.ts'
import { type ProblemSlug, problems } from '../problems.ts'
import { choice, list, named, object, Type, text, whole } from '../schema/schema.ts'
import { allScopes } from '../scopes.ts'
import type { Response } from './openapi-document.ts'
import { headerRefs, metered, type ResponseHeader } from './openapi-headers.ts'

export const FaultSchema = named(
  'Fault',
  object({
    pointer: Type.Optional(
      text(MAX.url, { format: 'json-pointer-uri-fragment', description: 'The field of the body, as a JSON pointer.' }),
    ),
    parameter: Type.Optional(text(MAX.name, { description: 'The path or query parameter.' })),
    header: Type.Optional(text(MAX.name, { description: 'The header.' })),
    code: text(MAX.code, { description: 'Stable: branch on it.' }),
    detail: text(MAX.note, { description: 'How to mend it. The submitted value is never quoted.' }),
  }),
  { parameter: 'limit', code: 'out_of_range', detail: 'must be from 1 to 100' },
)

export const ProblemSchema = named(
  'Problem',
  object({
    type: text(MAX.url, {
      format: 'uri',
      description: 'The stable name of the kind of problem, and the address of its description.',
    }),
    code: text(MAX.code, {
      description: 'The last part of `type`, the same at every address of the service: branch on it.',
    }),
    title: text(MAX.name, { description: 'A short summary. May be reworded: never branch on it.' }),
    status: whole(400, 599, { description: 'The HTTP status, repeated.' }),
    detail: text(MAX.note, { description: 'How to mend this request. May be reworded.' }),
    request_id: text(MAX.code, { description: 'The same as `X-Request-Id`.' }),
    errors: Type.Optional(
      list(FaultSchema, MAX.errors, {
        description: 'Each fault of the request, with exactly one of `pointer`, `parameter` and `header`.',
      }),
    ),
    required_scope: Type.Optional(choice(allScopes, { description: 'The scope that the key lacks (403).' })),
    retry_after: Type.Optional(whole(0, 86_400, { description: 'Seconds, the same as `Retry-After`.' })),
  }),
  {
    type: 'https://api.example.com/problems/not-found',
    code: 'not-found',
    title: 'Not found',
    status: 404,
    detail: 'No patient has the id p1042.',
    request_id: 'req_3f0c9a1e8d6b4c5f9a530c2b1f6f7d11',
  },
)

const fault = { parameter: 'limit', code: 'out_of_range', detail: 'must be from 1 to 100' }

/** The members of a slug's example in addition to those of its record. */
const particulars: Partial<Record<ProblemSlug, Record<string, unknown>>> = {
  'invalid-request': { detail: '`limit` must be from 1 to 100.', errors: [fault] },
  forbidden: {
    detail: 'This key lacks the scope patients:read. A clinic administrator can make a key that holds it.',
    required_scope: 'patients:read',
  },
  'not-found': { detail: 'No patient has the id p1042.' },
  conflict: { detail: 'A request with this Idempotency-Key is under way. Ask again in a moment.', retry_after: 1 },
  unprocessable: {
    detail:
      '`billing_account_id` is required where the clinic has several billing accounts: choose one from the catalog.',
    errors: [
      {
        pointer: '#/billing_account_id',
        code: 'required',
        detail: 'is required where the clinic has several billing accounts: choose one from the catalog',
      },
    ],
  },
  'idempotency-key-reused': {
    detail: '`Idempotency-Key` must be new for every request: it was used with other content.',
    errors: [
      {
        header: 'Idempotency-Key',
        code: 'reused',
        detail: 'must be new for every request: it was used with other content',
      },
    ],
  },
  'rate-limited': { detail: 'Retry after 42 seconds.', retry_after: 42 },
}

/** The body of a problem as the documentation shows it. */
export function exampleProblem(baseUrl: string, slug: ProblemSlug): Record<string, unknown> {
  const [status, title, help] = problems[slug]
  return {
    type: `${baseUrl}/problems/${slug}`,
    code: slug,
    title,
    status,
    detail: help,
    request_id: 'req_3f0c9a1e8d6b4c5f9a530c2b1f6f7d11',
    ...particulars[slug],
  }
}

interface ProblemGroup {
  name: string
  slugs: readonly ProblemSlug[]
  headers: readonly ResponseHeader[]
}

/** The answers that operations document one by one: each takes the first of its status that holds all its own problems. */
const expected: readonly ProblemGroup[] = [
  { name: 'InvalidRequest', slugs: ['invalid-request'], headers: metered },
  { name: 'Unauthorized', slugs: ['unauthorized'], headers: ['X-Request-Id', 'WWW-Authenticate'] },
  { name: 'Forbidden', slugs: ['forbidden', 'address-not-allowed'], headers: metered },
  { name: 'NotFound', slugs: ['not-found'], headers: metered },
  { name: 'Conflict', slugs: ['conflict'], headers: [...metered, 'Retry-After-Under-Way'] },
  { name: 'ContentTooLarge', slugs: ['content-too-large'], headers: metered },
  { name: 'UnsupportedMediaType', slugs: ['unsupported-media-type'], headers: metered },
  { name: 'Unprocessable', slugs: ['unprocessable'], headers: metered },
  { name: 'IdempotencyKeyReused', slugs: ['idempotency-key-reused'], headers: metered },
  { name: 'UnprocessableOrKeyReused', slugs: ['unprocessable', 'idempotency-key-reused'], headers: metered },
  { name: 'RateLimited', slugs: ['rate-limited'], headers: [...metered, 'Retry-After'] },
  { name: 'InternalError', slugs: ['internal-error'], headers: ['X-Request-Id'] },
  { name: 'UpstreamError', slugs: ['upstream-error'], headers: ['X-Request-Id'] },
  { name: 'ServiceUnavailable', slugs: ['service-unavailable'], headers: ['X-Request-Id', 'Retry-After'] },
]

/** All other problems: they come from a request that no client of this document makes, or from a file link. */
const unexpected: ProblemGroup = {
  name: 'Problem',
  slugs: (Object.keys(problems) as ProblemSlug[]).filter((slug) => !expected.some(({ slugs }) => slugs.includes(slug))),
  headers: ['X-Request-Id'],
}

/** The reference to the response of a status and of these problems of it, or to the one for all others. */
export function problemResponse(status: number | 'default', own: readonly ProblemSlug[] = []): { $ref: string } {
  const wanted = own.filter((slug) => problems[slug][0] === status)
  const group =
    status === 'default'
      ? unexpected
      : expected.find(({ slugs }) => hasStatus(slugs, status) && wanted.every((slug) => slugs.includes(slug)))
  if (!group) throw new Error(`no problem has the status ${status}`)
  return { $ref: `#/components/responses/${group.name}` }
}

const hasStatus = (slugs: readonly ProblemSlug[], status: number) => slugs.some((slug) => problems[slug][0] === status)

/** The problem responses, by component name. */
export function problemResponses(baseUrl: string): Record<string, Response> {
  return Object.fromEntries([...expected, unexpected].map((group) => [group.name, problemGroup(baseUrl, group)]))
}

function problemGroup(baseUrl: string, group: ProblemGroup): Response {
  const help = group.slugs.map((slug) => problems[slug][2]).join(' Or: ')
  return {
    description: group === unexpected ? 'Any other problem. They are rare.' : help,
    headers: headerRefs(group.headers),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          group.slugs.map((slug) => [slug, { summary: problems[slug][1], value: exampleProblem(baseUrl, slug) }]),
        ),
      },
    },
  }
}
