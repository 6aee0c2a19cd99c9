// A refusal in the words of OAuth 2.0 (RFC 6749, 5.2), for faults that the gateway finds itself.
import type { Problem, ProblemSlug } from '@clinic-data/contract'

export class AppRefusal extends Error {
  override readonly name = 'AppRefusal'
  readonly code: string
  readonly status: number
  readonly retryAfter: number | null

  /** @param description printable ASCII without `"` and `\`. */
  constructor(code: string, description: string, status = 400, retryAfter: number | null = null) {
    super(description)
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** Problems that pass by themselves. */
const PASSING: readonly ProblemSlug[] = ['service-unavailable', 'rate-limited', 'request-timeout']

/** The same refusal as elsewhere, in the words that an app reads. */
export function refusalOf(problem: Problem): AppRefusal {
  const { slug, status, members } = problem
  const description = problem.message.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
  if (PASSING.includes(slug))
    return new AppRefusal('temporarily_unavailable', description, status, members.retry_after ?? 1)
  return new AppRefusal(status >= 500 ? 'server_error' : 'invalid_request', description, status)
}

export function tooMany(what: string, retryAfter: number): AppRefusal {
  return new AppRefusal('temporarily_unavailable', `${what} Retry after ${retryAfter} seconds.`, 429, retryAfter)
}
