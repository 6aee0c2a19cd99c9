// Reads an answer that came over the port: a value of the agreed form, a problem that the backend chose, or an unusable answer
// (docs/decisions/0034).
import type { AnyAnswer } from '../backend.ts'
import { jsonOf } from '../input/json-text.ts'
import type { Operation } from '../operation.ts'
import { Problem, type ProblemMembers, type ProblemSlug, problems } from '../problems.ts'
import { mayBeWritten, WrittenRows } from './data-writer.ts'
import { portForms } from './port.ts'

/** An answer as it came. */
export interface PortReply {
  readonly status: number
  readonly text: string
  /** The rows of a list, written by a backend of the same contract. The text has the answer's other members. */
  readonly rows?: Uint8Array
}

/** Takes an answer for a value, or for the problem that the backend chose. @throws UnusableAnswer */
export type ReadReply<T> = (reply: PortReply) => T | Problem

/** The answer does not follow the port. The message is only for the log, and quotes nothing of the answer. */
export class UnusableAnswer extends Error {
  override name = 'UnusableAnswer'
  /** `unreachable`: a 502, 503 or 504 without a problem of the port, as a proxy answers when it cannot reach the backend. */
  readonly kind: 'unreachable' | 'unusable'

  constructor(message: string, kind: UnusableAnswer['kind'] = 'unusable') {
    super(message)
    this.kind = kind
  }
}

interface Form<T> {
  accepts(value: unknown): value is T
}

/** Reads a 200 of the given form. */
export function readJson<T>(form: Form<T>): ReadReply<T> {
  return (reply) => {
    if (reply.status !== 200) return refusal(reply, isServerProblem)
    const value = jsonOf(reply.text)
    if (!form.accepts(value)) throw unusable(reply, 'a body without the agreed form')
    return value
  }
}

/** Reads the 204 of a call that answers nothing. */
export function readNothing(reply: PortReply): undefined | Problem {
  return reply.status === 204 ? undefined : refusal(reply, isServerProblem)
}

/**
 * Whether a backend refuses the call itself, not what it asks for: one of an earlier version, or of another make, does not take a body of
 * this form (400), or has no such call (404).
 */
export function isRefusedCall({ status, text }: PortReply, refusal: 400 | 404): boolean {
  return status === refusal && !portForms.problem.accepts(jsonOf(text))
}

/** Reads the answer of an operation, or the problem that its handler threw. */
export function readAnswer(operation: Operation): ReadReply<AnyAnswer | null> {
  const form = FORMS[operation.shape]
  return (reply) => {
    if (reply.status !== 200) return refusal(reply, () => true)
    if (operation.shape === 'none') return null
    const value = jsonOf(reply.text)
    if (!form.accepts(value)) throw unusable(reply, 'an answer without the agreed form')
    if (reply.rows === undefined || value === null) return value
    if (!mayBeWritten(operation)) throw unusable(reply, 'rows beside an answer that is no list')
    return { ...value, data: new WrittenRows(reply.rows) }
  }
}

const FORMS: Record<Operation['shape'], Form<AnyAnswer | null>> = {
  page: portForms.pageAnswer,
  bounded: portForms.answer,
  one: portForms.answer,
  link: portForms.linkAnswer,
  none: { accepts: (value): value is null => value === null },
}

/** Only an operation has a request that a client could mend: elsewhere the port has no problems below 500. */
function isServerProblem(slug: ProblemSlug): boolean {
  return problems[slug][0] >= 500
}

/**
 * Reads the problem that a refusal holds.
 *
 * @throws UnusableAnswer when it holds none.
 */
export function refusal(reply: PortReply, isExpected: (slug: ProblemSlug) => boolean): Problem {
  const { status } = reply
  const body = jsonOf(reply.text)
  if (portForms.problem.accepts(body)) {
    const { slug, detail, members } = body as { slug: ProblemSlug; detail: string; members: ProblemMembers }
    if (problems[slug][0] === status && isExpected(slug)) return new Problem(slug, detail, known(members))
  }
  if (status >= 502 && status <= 504) throw new UnusableAnswer(`status ${status}`, 'unreachable')
  throw unusable(reply, status === 401 ? 'the backend refuses BACKEND_TOKEN' : `status ${status}`)
}

/** A backend of a later version may send more. */
function known({ errors, required_scope, retry_after }: ProblemMembers): ProblemMembers {
  return {
    ...(errors && { errors }),
    ...(required_scope !== undefined && { required_scope }),
    ...(retry_after !== undefined && { retry_after }),
  }
}

function unusable({ status }: PortReply, what: string): UnusableAnswer {
  return new UnusableAnswer(`${what} (status ${status})`)
}
