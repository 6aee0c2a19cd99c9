// A problem as an answer: its body (RFC 9457) and its headers.
import { MAX } from './limits.ts'
import { type Problem, problems } from './problems.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** The body of a problem. */
export function problemBody(problem: Problem, baseUrl: string, requestId: string): string {
  const [status, title] = problems[problem.slug]
  const { errors, required_scope, retry_after } = problem.members
  return JSON.stringify({
    type: `${baseUrl}/problems/${problem.slug}`,
    code: problem.slug,
    title,
    status,
    detail: problem.message,
    request_id: requestId,
    errors: errors?.slice(0, MAX.errors),
    required_scope,
    retry_after,
  })
}

/** A problem's headers in addition to its media type. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const headers: Record<string, string> = {}
  if (problem.slug === 'unauthorized') headers['www-authenticate'] = 'Bearer'
  const wait = problem.members.retry_after ?? (problem.slug === 'service-unavailable' ? 1 : undefined)
  if (wait !== undefined) headers['retry-after'] = String(wait)
  return headers
}
