// The gateway's own problems, and the conversion of any other error to a problem.
import { Problem, type ProblemMembers, type ProblemSlug } from '@clinic-data/contract'

/** One identical 401 for every cause: missing, malformed, unknown, expired or revoked. */
export function unauthorized(): Problem {
  return new Problem('unauthorized', 'Send a valid key in the header: Authorization: Bearer <key>.')
}

export function unknownPath(): Problem {
  return new Problem('not-found', 'There is no such path. The reference is at /docs.')
}

/** The HTTP server's and router's error codes, and their meaning to a client. */
const KNOWN: Record<string, [slug: ProblemSlug, detail: string, members?: ProblemMembers]> = {
  FST_ERR_BAD_URL: ['not-found', 'There is no such path.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'Send the body as application/json, in UTF-8.'],
  FST_ERR_HANDLER_TIMEOUT: [
    'service-unavailable',
    'The answer took too long. Retry with exponential backoff.',
    { retry_after: 1 },
  ],
  HPE_HEADER_OVERFLOW: ['header-fields-too-large', 'The request line and headers may have at most 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive whole within the time allowed.'],
  ECONNRESET: ['invalid-request', 'The connection was closed in the middle of the request.'],
}

/** Converts any error to a problem with a public text. An unknown error becomes the internal cause. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = (error as { code?: unknown } | null)?.code
  const known = typeof code === 'string' ? KNOWN[code] : undefined
  if (known) return new Problem(...known)
  return new Problem(
    'internal-error',
    'An unexpected error. Retry with backoff; give support the request_id if it persists.',
    {},
    error,
  )
}
