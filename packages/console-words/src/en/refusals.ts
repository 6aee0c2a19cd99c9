// Why a request was refused, in English. Short: it stands in a row of the activity.
import type { ProblemSlug } from '@clinic-data/contract/problems'

/** By the slug of the problem. */
export const refusals = {
  'invalid-request': 'Invalid request',
  unauthorized: 'No valid key',
  forbidden: 'Not allowed',
  'address-not-allowed': 'From another address',
  'not-found': 'Not found',
  'method-not-allowed': 'Wrong method',
  'request-timeout': 'Arrived too slowly',
  conflict: 'Contradicts the state',
  'link-expired': 'Link expired',
  'content-too-large': 'Too large',
  'uri-too-long': 'Address too long',
  'unsupported-media-type': 'Not JSON',
  'range-not-satisfiable': 'Beyond the file',
  'expectation-failed': 'Expectation unknown',
  unprocessable: 'Against a rule',
  'idempotency-key-reused': 'Repeated with other content',
  'rate-limited': 'Too many requests',
  'header-fields-too-large': 'Headers too large',
  'internal-error': 'Unexpected error',
  'upstream-error': 'No usable answer',
  'service-unavailable': 'Not available',
} satisfies Record<ProblemSlug, string>
