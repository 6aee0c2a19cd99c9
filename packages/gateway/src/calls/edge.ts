// The shared parts that every request of the public edge needs, and the admission to the key's rate limit.
import type { IncomingMessage } from 'node:http'
import { type Audience, type Backend, type Operation, type Principal, Problem } from '@clinic-data/contract'
import type { AuditTrail } from '@clinic-data/contract/audit-trail'
import { liesWithin } from '@clinic-data/contract/network'
import { PROBLEM_TYPE, problemBody, problemHeaders } from '@clinic-data/contract/problem-body'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Challenge } from '../answers/challenge.ts'
import { addressNotAllowed, problemOf } from '../answers/problem-response.ts'
import { arrivedAt } from '../connections/fair-turns.ts'
import type { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { Deadline, Watched } from '../limits/deadline.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { Allowances } from '../requests/read-input.ts'
import type { Log } from '../telemetry/log.ts'

/** Tells who asks. The public edge goes by the key: `Authentication`. */
export interface Identification {
  /**
   * @param audience where it asks. Default: the REST API.
   * @throws Problem 401 for whoever may not ask at all.
   */
  identify(request: FastifyRequest, audience?: Audience): Principal | Promise<Principal>
  /** The client's address, as far as the trusted proxies report it. */
  addressOf(request: FastifyRequest): string
}

export interface Edge {
  readonly baseUrl: string
  readonly backend: Backend
  readonly authentication: Identification
  readonly rateLimit: RateLimit
  /** The window, and its number of requests for keys without a limit of their own. */
  readonly rate: { requests: number; seconds: number }
  readonly concurrency: ConcurrencyLimit
  readonly deadline: Deadline
  readonly auditTrail: AuditTrail
  /** Only where apps can be connected. */
  readonly challenge?: Challenge | undefined
  readonly cursorKeys: SigningKeys
  readonly fileLinkKeys: SigningKeys
  readonly allowances: Allowances
  readonly log: Log
  /** Fires when the process stops: every waiting request is then answered. */
  readonly stopping: AbortSignal
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The facts about a request for the log and the metrics. */
export interface Observed {
  /** The path of the contract's operation that REST was asked for. The router builds its own description anew each time. */
  route: string | null
  operation: Operation | null
  principal: Principal | null
  /** Why a tool was refused to a token without its scope. The protocol has that inside of its answer. */
  lacking: Problem | null
  /** Null where the router watches the time itself. */
  watched: Watched | null
  startedAt: number
}

declare module 'fastify' {
  interface FastifyRequest {
    observed: Observed
  }
}

/** Returns what is known of a request that has just arrived. */
export function justArrived(request: IncomingMessage): Observed {
  return { route: null, operation: null, principal: null, lacking: null, watched: null, startedAt: arrivedAt(request) }
}

/**
 * Takes the request from the key's rate limit, and sends the client what is left. A key that is used from elsewhere than it may has a limit of its own
 * for that: whoever has stolen it uses up nothing of its owner's.
 *
 * @throws Problem 429, and 403 for a key that is used from elsewhere, after the audit row of that is stored.
 */
export async function admit(
  edge: Edge,
  principal: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const refused = elsewhere(edge, principal, request)
  const id = refused === null ? limitedId(principal) : `${limitedId(principal)}/elsewhere`
  const taking = edge.rateLimit.take(id, principal.rate_limit ?? edge.rate.requests)
  const taken = taking instanceof Promise ? await taking : taking
  reply.header('ratelimit-policy', `"default";q=${taken.limit};w=${edge.rate.seconds}`)
  reply.header('ratelimit', `"default";r=${taken.remaining};t=${taken.resetSeconds}`)
  if (taken.admitted) return refused === null ? undefined : refuseElsewhere(edge, refused, principal, request)
  const wait = taken.retryAfterSeconds
  throw new Problem('rate-limited', `Rate limit exceeded: retry after ${wait} seconds.`, { retry_after: wait })
}

/**
 * Who asks, once more: the key may have been revoked, or bound to other networks, while its request went on.
 *
 * @throws Problem 401, 403. The call of an operation stores the row of its refusal. A message to MCP is no call yet, so its row is stored here.
 */
export async function identifyAgain(edge: Edge, request: FastifyRequest, audience?: Audience): Promise<void> {
  const principal = await edge.authentication.identify(request, audience)
  const refused = elsewhere(edge, principal, request)
  if (refused === null) return
  if (request.observed.operation !== null) throw refused
  await refuseElsewhere(edge, refused, principal, request)
}

/** The refusal of a key that may be used from other addresses alone. It names none of them. */
function elsewhere({ authentication }: Edge, { networks }: Principal, request: FastifyRequest): Problem | null {
  if (networks === undefined) return null
  const address = authentication.addressOf(request)
  return liesWithin(address, networks) ? null : addressNotAllowed(address)
}

async function refuseElsewhere(
  edge: Edge,
  problem: Problem,
  principal: Principal,
  request: FastifyRequest,
): Promise<never> {
  const { operation } = request.observed
  const { status, slug } = problem
  await edge.auditTrail.add({
    at: new Date(edge.now()).toISOString(),
    clinic_id: principal.clinic.clinic_id,
    key_id: principal.key_id,
    operation: operation?.id ?? 'mcp',
    surface: operation === null ? 'mcp' : 'rest',
    resource_ids: [],
    patient_ids: [],
    count: 0,
    status,
    problem: slug,
    request_id: request.id,
    address: edge.authentication.addressOf(request),
  })
  throw problem
}

/** Key ids are unique within a clinic. */
export function limitedId(principal: Principal): string {
  return `${principal.clinic.clinic_id}/${principal.key_id}`
}

/** Answers with the problem that an error is to a client, and logs what broke. */
export function answerProblem(edge: Edge, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error)
  const { id } = request
  report(edge, problem, id)
  const challenge = edge.challenge?.(problem, request) ?? null
  return reply
    .code(problem.status)
    .headers({
      ...problemHeaders(problem),
      'cache-control': 'no-store',
      ...(challenge !== null && { 'www-authenticate': challenge }),
    })
    .type(PROBLEM_TYPE)
    .send(problemBody(problem, edge.baseUrl, id))
}

/** Logs what broke. A refusal for lack of room has no cause and is not logged: one line for each would drown the others. */
export function report({ log }: Edge, problem: Problem, request_id: string): void {
  if (problem.status >= 500 && problem.cause !== undefined) log.error({ request_id, err: problem.cause }, problem.slug)
}
