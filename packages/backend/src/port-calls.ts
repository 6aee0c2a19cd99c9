// The calls of the port whose answer is a short text: a key's look-up, the operations, audit rows. Each one comes as a message of its
// own, or with others in one.
import {
  type AnyHandler,
  allOperations,
  type Backend,
  Grant,
  type HandlerInput,
  handlerOf,
  type Operation,
  operations,
  Problem,
  type ReadRecord,
} from '@clinic-data/contract'
import { type AnswerApp, type AppEndpoint, appEndpoints } from '@clinic-data/contract/app-request'
import type { AuditTrail } from '@clinic-data/contract/audit-trail'
import { rehearsedOperations } from '@clinic-data/contract/names'
import { portForms, portPaths, portProblems } from '@clinic-data/contract/port'
import type { SentReply } from '@clinic-data/contract/port-lines'
import { replyWriter } from '@clinic-data/contract/written-reply'
import type { Log } from '@clinic-data/surface/log'
import { rowOf, trailOf } from './recorded-reads.ts'

/** A call as it came. */
export interface PortCall {
  readonly path: string
  readonly body: unknown
  readonly request_id: string
  /** By the monotonic clock: when the gateway gives up the call. */
  readonly deadline: number
  /** The gateway refuses a key that is used from elsewhere than it may. */
  readonly comparesNetworks: boolean
  /** The gateway takes rows that are written already: its contract is ours. */
  readonly takesWritten?: boolean
}

/** A call that violates the agreement. The status tells the gateway's operator how. */
export class Refused extends Error {
  readonly status: 400 | 401 | 404 | 413 | 415

  constructor(status: Refused['status'], message: string) {
    super(message)
    this.status = status
  }
}

/** Answers one call. It never rejects. */
export type AnswerCall = (call: PortCall) => Promise<SentReply>

/** The paths of the calls, and what answers any of them. */
export function portCalls(backend: Backend, log: Log): { paths: readonly string[]; answer: AnswerCall } {
  const trail = trailOf(backend, log)
  const works = new Map<string, (call: PortCall) => Promise<SentReply>>([
    [portPaths.authenticate, (call) => authenticate(backend, call)],
    [portPaths.audit, (call) => audit(backend, call)],
    ...allOperations.map((operation) => {
      const handler = handlerOf(backend, operation)
      return [portPaths.operation(operation.id), operating(operation, handler, trail)] as const
    }),
    ...rehearsalCalls(backend.rehearse),
    ...appCalls(backend.answerApp),
  ])
  const answer: AnswerCall = async (call) => {
    try {
      const work = works.get(call.path)
      if (work === undefined) throw new Refused(404, 'there is no such call')
      return await work(call)
    } catch (error) {
      return refusalOf(log, error, call)
    }
  }
  return { paths: [...works.keys()], answer }
}

async function authenticate(backend: Backend, call: PortCall): Promise<SentReply> {
  const { key_hash } = formed(call.body, portForms.authenticateRequest)
  const principal = await inTime(call.deadline, () => backend.authenticate(key_hash))
  // A gateway of an earlier version would let it in from anywhere.
  const isUnguarded = principal?.networks !== undefined && !call.comparesNetworks
  return okReply({ principal: isUnguarded ? null : principal })
}

async function audit(backend: Backend, call: PortCall): Promise<SentReply> {
  const { rows } = formed(call.body, portForms.auditRequest)
  await inTime(call.deadline, () => backend.audit(rows as Parameters<Backend['audit']>[0]))
  return { status: 204, text: '' }
}

/** @param trail stores the rows of reads. Without it none is recorded. */
function operating(operation: Operation, handler: AnyHandler, trail?: AuditTrail) {
  const writeReply = replyWriter(operation)
  return async ({ body, request_id, deadline, takesWritten }: PortCall): Promise<SentReply> => {
    const { principal, input, filters = [], record } = formed(body, portForms.operationRequest)
    // It comes from a gateway of a later version.
    if (filters.some((name) => !Object.hasOwn(operation.addedFilters ?? {}, name)))
      throw new Refused(400, 'this version does not know one of the filters')
    if (record !== undefined && operation.effect !== 'none')
      throw new Refused(400, 'only a read is recorded with its answer')
    const grant = Grant.authorize(principal as Grant['principal'], operation)
    const context = { request_id, deadline }
    const startedAt = performance.now()
    const work = async () => {
      const answer = await handler(grant, input as HandlerInput<Operation>, context)
      if (record === undefined || answer === null || trail === undefined) return answer
      const took_ms = performance.now() - startedAt
      const row = rowOf({ grant, operation, answer, record: record as ReadRecord, request_id, took_ms })
      const isRecorded = await trail.add(row).then(
        () => true,
        () => false,
      )
      return isRecorded ? { ...answer, recorded: true as const } : answer
    }
    const answer = await inTime(deadline, work)
    const isDetailed = (input.query as { response_format?: unknown }).response_format === 'detailed'
    const written = takesWritten && answer !== null ? writeReply?.(answer, isDetailed) : null
    return written ?? okReply(answer)
  }
}

/** A backend that cannot rehearse has no such calls. */
function rehearsalCalls(rehearse: AnyHandler | undefined) {
  if (rehearse === undefined) return []
  return rehearsedOperations.map((id) => [portPaths.rehearsal(id), operating(operations[id], rehearse)] as const)
}

/** A backend to which no app can be connected has no such calls. */
function appCalls(answerApp: AnswerApp | undefined) {
  if (answerApp === undefined) return []
  return appEndpoints.map((endpoint) => [portPaths.connect(endpoint), answeringApps(answerApp, endpoint)] as const)
}

function answeringApps(answerApp: AnswerApp, endpoint: AppEndpoint) {
  return async ({ body, request_id, deadline }: PortCall): Promise<SentReply> => {
    const { form, authorization, address } = formed(body, portForms.connectRequest)
    const parameters = Object.fromEntries(form.map(({ name, value }) => [name, value]))
    if (Object.keys(parameters).length < form.length) throw new Refused(400, 'a parameter comes twice')
    const request = { form: parameters, authorization, address }
    return okReply(await inTime(deadline, () => answerApp(endpoint, request, { request_id, deadline })))
  }
}

function okReply(value: unknown): SentReply {
  return { status: 200, text: JSON.stringify(value) }
}

/** @throws Refused */
export function formed<T>(body: unknown, form: { accepts(value: unknown): value is T }): T {
  if (!form.accepts(body)) throw new Refused(400, 'the body does not have the form of this version of the port')
  return body
}

/** Starts no work after the deadline and waits for none beyond it. */
export async function inTime<T>(deadline: number, work: () => Promise<T>): Promise<T> {
  const remaining = deadline - performance.now()
  if (remaining <= 0) throw tooLate()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), remaining)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

function tooLate(): Problem {
  return new Problem('service-unavailable', 'The answer took too long.', { retry_after: 1 })
}

/** The answer for an error: a problem that the gateway hands on, or one without a text of ours. Logs what is not the caller's fault. */
export function refusalOf(log: Log, error: unknown, call: Pick<PortCall, 'path' | 'request_id'>): SentReply {
  if (error instanceof Refused) return { status: error.status, text: JSON.stringify({ error: error.message }) }
  if (error instanceof Problem && (portProblems as readonly string[]).includes(error.slug)) {
    const { slug, message, members, status, cause } = error
    if (status >= 500 && cause !== undefined) logged(log, cause, call)
    return { status, text: JSON.stringify({ slug, detail: message, members }) }
  }
  logged(log, error, call)
  return { status: 500, text: JSON.stringify({ slug: 'internal-error', detail: 'An unexpected error.', members: {} }) }
}

function logged(log: Log, error: unknown, { path, request_id }: Pick<PortCall, 'path' | 'request_id'>): void {
  log.error({ err: error, request_id: request_id || null, route: path }, 'a call of the port failed')
}
