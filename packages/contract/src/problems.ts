// The problems (RFC 9457): slug, status, title, and how a client mends it. Every answer other than 2xx and 304 is one of them.

export const problems = {
  'invalid-request': [
    400,
    'Invalid request',
    'A parameter, header or body field is missing, malformed or unknown. `errors` names each one. Fix the request; do not retry it unchanged.',
  ],
  unauthorized: [
    401,
    'Unauthorized',
    'The key is missing, malformed, unknown, expired or revoked. Send `Authorization: Bearer <key>` with a valid key. `detail` tells a missing header, another scheme and a malformed key from a refused key.',
  ],
  forbidden: [
    403,
    'Forbidden',
    'The key is valid but lacks the scope named in `required_scope`. A clinic administrator can make a key that holds it. The MCP server also answers this if the `Origin` of a web page or the `Host` is not allowed, and if the person whom a tool that writes asked did not agree: then `detail` says so, and nothing was written.',
  ],
  'address-not-allowed': [
    403,
    'Address not allowed',
    'The key or token is valid, but its clinic lets it be used from other addresses alone. `detail` names the address that the request came from. A clinic administrator can add it.',
  ],
  'not-found': [404, 'Not found', 'This clinic has no such resource. Ids belong to one clinic.'],
  'method-not-allowed': [
    405,
    'Method not allowed',
    'The path exists, but not with this method. The `Allow` header lists its methods.',
  ],
  'request-timeout': [408, 'Request timeout', 'The request did not arrive completely in time. Send it again.'],
  conflict: [
    409,
    'Conflict',
    'The request contradicts the present state of the resource. Where it has `retry_after`, a write with the same `Idempotency-Key` is under way: wait, then send it again.',
  ],
  'link-expired': [
    410,
    'Link expired',
    'A signed link has expired, or the key that asked for it was revoked. Ask for a new link.',
  ],
  'content-too-large': [413, 'Content too large', 'The body exceeds the size limit.'],
  'uri-too-long': [414, 'URI too long', 'The address exceeds the size limit.'],
  'unsupported-media-type': [415, 'Unsupported media type', 'Send the body as `application/json`, in UTF-8.'],
  'range-not-satisfiable': [
    416,
    'Range not satisfiable',
    'The range of a file link lies outside the file. `Content-Range` gives its size.',
  ],
  'expectation-failed': [417, 'Expectation failed', 'Only `Expect: 100-continue` is understood.'],
  unprocessable: [
    422,
    'Unprocessable',
    'The request is well formed, but a rule refuses it. `errors` names the field, if one is the cause.',
  ],
  'idempotency-key-reused': [
    422,
    'Idempotency key reused',
    'This `Idempotency-Key` was used with other content. Use a new key for a new request.',
  ],
  'rate-limited': [
    429,
    'Too many requests',
    'The rate limit is exceeded. Wait `retry_after` seconds (also in `Retry-After`), then retry.',
  ],
  'header-fields-too-large': [431, 'Header fields too large', 'The headers exceed the size limit.'],
  'internal-error': [
    500,
    'Internal error',
    'An unexpected error. Retry with backoff; give support the `request_id` if it persists.',
  ],
  'upstream-error': [502, 'Upstream error', 'The backend gave no usable answer. Retry with exponential backoff.'],
  'service-unavailable': [
    503,
    'Service unavailable',
    'Temporarily unavailable. Wait for `Retry-After`, then retry with exponential backoff.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, help: string]>

export type ProblemSlug = keyof typeof problems

/** One fault of a request: exactly one of `pointer`, `parameter`, `header` says where. The submitted value is never quoted. */
export type Fault = { code: string; detail: string } & (
  | { pointer: string }
  | { parameter: string }
  | { header: string }
)

export interface ProblemMembers {
  errors?: readonly Fault[]
  required_scope?: string
  /** All scopes that the request needs beside its operation's, where they are known. Not in the body. */
  needed_scopes?: readonly string[]
  retry_after?: number
}

/**
 * A public error. `detail` says how to mend the request. `cause` is for the log only.
 *
 * @example throw new Problem('not-found', 'No patient has the id p1.')
 */
export class Problem extends Error {
  readonly slug: ProblemSlug
  readonly members: ProblemMembers

  constructor(slug: ProblemSlug, detail: string, members: ProblemMembers = {}, cause?: unknown) {
    // A problem is an answer, and its cause says what broke. Capturing a stack would take a good part of a refusal's time.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(detail, { cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Problem'
    this.slug = slug
    this.members = members
  }

  get status(): number {
    return problems[this.slug][0]
  }
}
