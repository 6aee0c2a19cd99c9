// The headers in the OpenAPI document: those that a client may send, those of answers, those of a delivery.
import type { Header, Parameter, Ref } from './openapi-document.ts'

const short = { type: 'string', maxLength: 128 } as const

export const requestHeaders: Record<'IdempotencyKey' | 'IfNoneMatch', Parameter> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the write safe to repeat. For 24 hours, the same key with the same content gets the first answer again, with `Idempotent-Replayed: true`. A UUID is a good key.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    example: '5f0c9a1e-8d6b-4c5f-9a53-0c2b1f6f7d11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer. If nothing has changed since, the answer is 304 without a body.',
    // Any other value is not one of our tags and matches nothing. Only the limit on all headers together bounds its length.
    schema: { type: 'string' },
    example: 'W/"1a2b-3c4d5e6f"',
  },
}

export const responseHeaders = {
  'X-Request-Id': {
    description: 'The name of this request in our logs: give it to support.',
    required: true,
    schema: { type: 'string', maxLength: 64, pattern: '^req_[0-9A-Za-z_-]+$' },
    example: 'req_3f0c9a1e8d6b4c5f9a530c2b1f6f7d11',
  },
  RateLimit: {
    description:
      'The requests that are left (`r`), and the seconds until the oldest counted request leaves the window (`t`).',
    schema: short,
    example: '"default";r=287;t=42',
  },
  'RateLimit-Policy': {
    description: 'The limit (`q` requests) and its window (`w` seconds).',
    schema: short,
    example: '"default";q=300;w=60',
  },
  ETag: {
    description: 'A weak validator of this answer, for `If-None-Match`.',
    schema: { ...short, pattern: '^W/".*"$' },
    example: 'W/"1a2b-3c4d5e6f"',
  },
  'Cache-Control': {
    description: 'Clinic data is never stored by caches.',
    schema: { type: 'string', enum: ['no-store'] },
    example: 'no-store',
  },
  Location: {
    description: 'Where the new resource can be read.',
    schema: { type: 'string', format: 'uri-reference', maxLength: 2048 },
    example: '/v1/webhooks/wh31',
  },
  'Idempotent-Replayed': {
    description: 'Present if this answer repeats the answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', minimum: 1, maximum: 86_400, format: 'int32' },
    example: 42,
  },
  'Retry-After-Under-Way': {
    description:
      'Only while a write with the same `Idempotency-Key` is under way: seconds to wait before sending the request again.',
    schema: { type: 'integer', minimum: 1, maximum: 86_400, format: 'int32' },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
    example: 'Bearer',
  },
} as const satisfies Record<string, Header>

export type ResponseHeader = keyof typeof responseHeaders

/** On every answer to a valid key. */
export const metered = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'] as const

/** Headers that are described in two ways: a component has a name of its own. */
const SENT_AS: Partial<Record<ResponseHeader, string>> = { 'Retry-After-Under-Way': 'Retry-After' }

export function headerRefs(names: readonly ResponseHeader[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [SENT_AS[name] ?? name, { $ref: `#/components/headers/${name}` }]))
}
