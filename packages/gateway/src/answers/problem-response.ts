// The gateway's own problems, and the conversion of any other error to a problem.
import { Problem, type ProblemMembers, type ProblemSlug } from '@clinic-data/contract'
import { nearestPaths } from './nearest-paths.ts'

/** Only the header's form is told apart. What became of a well-formed key is not: unknown, revoked and expired are one answer. */
const UNAUTHORIZED = {
  missing: 'The header Authorization is missing. Send it with a key: Authorization: Bearer <key>.',
  scheme: 'Authorization must be the word Bearer, one space and a key: Authorization: Bearer <key>.',
  malformed:
    'Authorization holds no whole key. A key is sk_live_ and 40 letters and digits, and these do not belong together: one is missing or wrong. Copy the key again.',
  refused:
    'The key is refused: it is unknown, revoked or expired. A clinic administrator can make a new one in the settings for integrations.',
  token_refused:
    'The token is refused: it is unknown or has expired, or its connection has ended. Take a new one with the refresh token; if that is refused too, connect the app again.',
  mcp_only:
    'This token is for the MCP server alone, at /mcp. For the REST API, connect the app with the base address of the API as `resource`.',
  api_only:
    'This token is for the REST API alone, at /v1. For the MCP server, connect the app with the address of the MCP server as `resource`.',
} as const

export function unauthorized(cause: keyof typeof UNAUTHORIZED): Problem {
  return new Problem('unauthorized', UNAUTHORIZED[cause])
}

/** It names where the request came from, and none of the addresses that the clinic allows. */
export function addressNotAllowed(address: string): Problem {
  return new Problem(
    'address-not-allowed',
    `This key may not be used from ${address}. The clinic lets it be used from other addresses alone: an administrator can add this one.`,
  )
}

export function unknownPath(path = ''): Problem {
  if (path.startsWith('/v1/v1/'))
    return new Problem('not-found', 'The path has /v1 twice: leave out /v1 of the base address.')
  const near = nearestPaths(path)
  const meant = near.length === 0 ? '' : ` Do you mean ${near.join(' or ')}?`
  return new Problem(
    'not-found',
    `There is no such path.${meant} The reference is at /docs, and the OpenAPI document at /v1/openapi.json.`,
  )
}

export function upstreamError(cause: unknown): Problem {
  return new Problem('upstream-error', 'The backend gave no usable answer. Retry with exponential backoff.', {}, cause)
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
  // curl sends an address as it is typed.
  HPE_INVALID_URL: [
    'invalid-request',
    'The address must begin with / and be in ASCII. Other letters are sent percent-encoded, as %D7%9C for ל (curl: --get --data-urlencode).',
  ],
  HPE_HEADER_OVERFLOW: ['header-fields-too-large', 'The request line and headers may have at most 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive completely in time.'],
  ECONNRESET: ['invalid-request', 'The connection was closed in the middle of the request.'],
}

/** Converts any error to a problem with a public text. An unknown error becomes the internal cause. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = (error as { code?: unknown } | null)?.code
  const known = typeof code === 'string' && Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined
  if (known) return new Problem(...known)
  return new Problem(
    'internal-error',
    'An unexpected error. Retry with backoff; give support the request_id if it persists.',
    {},
    error,
  )
}
