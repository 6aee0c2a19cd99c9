// What an answer over the port means: a value of the agreed form, a problem that the backend chose, or nothing of use.

import { type Operation, Problem, type ProblemMembers, type ProblemSlug, problems } from '@clinic-data/contract'
import { portForms } from '@clinic-data/contract/port'
import type { Answered, Read } from './port-client.ts'
import { PortFailure, unavailable, upstreamError } from './port-failure.ts'

interface Form<T> {
  accepts(value: unknown): value is T
}

/** Reads a 200 of the given form; null where `form` is null: the answer holds nothing that is asked for. */
export function readJson<T>(form: Form<T>): Read<T> {
  return async (answered) => {
    if (answered.statusCode !== 200) return refusal(answered, isServerProblem)
    const value: unknown = parsed(await answered.body.text())
    if (!form.accepts(value)) throw unusable(answered, 'a body without the agreed form')
    return value
  }
}

/** Reads the 204 of a call that answers nothing. */
export async function readNothing(answered: Answered): Promise<undefined | Problem> {
  if (answered.statusCode !== 204) return refusal(answered, isServerProblem)
  await answered.body.dump()
  return undefined
}

/** Reads the answer of an operation, or the problem that its handler threw. */
export function readAnswer(operation: Operation): Read<unknown> {
  const form = FORMS[operation.shape]
  return async (answered) => {
    if (answered.statusCode !== 200) return refusal(answered, () => true)
    const value: unknown = parsed(await answered.body.text())
    if (operation.shape === 'none') return null
    if (!form.accepts(value)) throw unusable(answered, 'an answer without the agreed form')
    return value
  }
}

const FORMS: Record<Operation['shape'], Form<unknown>> = {
  page: portForms.pageAnswer,
  bounded: portForms.answer,
  one: portForms.answer,
  link: portForms.linkAnswer,
  none: { accepts: (value): value is unknown => value === null },
}

/** Only an operation has a request that a client could mend: elsewhere problems below 500 are none of the port's. */
function isServerProblem(slug: ProblemSlug): boolean {
  return problems[slug][0] >= 500
}

/**
 * The problem that a refusal holds, in public words.
 *
 * @throws PortFailure when it holds none.
 */
export async function refusal(answered: Answered, isExpected: (slug: ProblemSlug) => boolean): Promise<Problem> {
  const { statusCode } = answered
  const body: unknown = parsed(await answered.body.text())
  if (portForms.problem.accepts(body)) {
    const { slug, detail, members } = body as { slug: ProblemSlug; detail: string; members: ProblemMembers }
    if (problems[slug][0] === statusCode && isExpected(slug)) return publicProblem(slug, detail, members)
  }
  if (statusCode >= 502 && statusCode <= 504) throw new PortFailure('unreachable', `status ${statusCode}`)
  throw unusable(answered, statusCode === 401 ? 'the backend refuses BACKEND_TOKEN' : `status ${statusCode}`)
}

/** Above 500 the texts are ours: a backend's own might tell of its inside. */
function publicProblem(slug: ProblemSlug, detail: string, members: ProblemMembers): Problem {
  const { errors, required_scope, retry_after } = members
  switch (slug) {
    case 'service-unavailable':
      return unavailable('the backend answered so', retry_after)
    case 'upstream-error':
      return upstreamError('the backend answered so')
    case 'internal-error':
      return new Problem(slug, problems[slug][2], {}, 'the backend answered so')
    default:
      return new Problem(slug, detail, {
        ...(errors && { errors }),
        ...(required_scope !== undefined && { required_scope }),
        ...(retry_after !== undefined && { retry_after }),
      })
  }
}

function unusable({ statusCode }: Answered, what: string): PortFailure {
  return new PortFailure('unusable', `${what} (status ${statusCode})`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
