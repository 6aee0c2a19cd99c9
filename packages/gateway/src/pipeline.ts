// The request path, one function read from top to bottom; a later step needs a value that only the earlier step can make:
// authenticate → Principal → rate limit → authorize → Grant → read input → forward → write output → audit → answer.
import {
  type Backend,
  type CallContext,
  Grant,
  MAX,
  type Operation,
  type Position,
  type Principal,
  Problem,
  type ServedId,
  type StoredFile,
} from '@clinic-data/contract'
import { signFileLink } from '@clinic-data/contract/file-link'
import { readJsonBody } from '@clinic-data/contract/json-body'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditTrail } from './audit-trail.ts'
import type { Authentication } from './authentication.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { etagOf, matches } from './etag.ts'
import { problemOf, unknownPath } from './problem-response.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Allowances, type Filters, type Input, inputReader } from './read-input.ts'
import { type AnyAnswer, type Output, outputWriter } from './write-output.ts'

/** What every request of the public edge needs. */
export interface Edge {
  readonly baseUrl: string
  readonly backend: Backend
  readonly authentication: Authentication
  readonly rateLimit: RateLimit
  /** The window, and the requests in it of keys that have no limit of their own. */
  readonly rate: { requests: number; seconds: number }
  readonly concurrency: ConcurrencyLimit
  readonly auditTrail: AuditTrail
  readonly cursorKeys: SigningKeys
  readonly fileLinkKeys: SigningKeys
  readonly allowances: Allowances
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** What the log and the metrics are told of a request. */
export interface Observed {
  operation: Operation | null
  principal: Principal | null
  startedAt: number
}

declare module 'fastify' {
  interface FastifyRequest {
    observed: Observed
  }
}

/** A request may take this long in the gateway; the backend has two seconds less, a statement one second less again. */
export const GATEWAY_DEADLINE_MS = 10_000
const BACKEND_DEADLINE_MS = 8_000

type AnyHandler = (grant: Grant, input: Input, context: CallContext) => Promise<AnyAnswer | null>

/** Compiles the request path of one operation. */
export function pipeline(edge: Edge, operation: Operation) {
  const readInput = inputReader(
    operation,
    (grant, filters, cursor) => openCursor(edge.cursorKeys, binding(operation, grant, filters), cursor),
    edge.allowances,
  )
  const writeOutput = operation.shape === 'none' ? null : outputWriter(operation)
  const handler = edge.backend.handlers[operation.id as ServedId] as unknown as AnyHandler

  async function forward(request: FastifyRequest, principal: Principal): Promise<Output> {
    const grant = Grant.authorize(principal, operation)
    const input = readInput(
      {
        params: request.params as Record<string, string>,
        search: searchOf(request.raw.url),
        idempotency_key: headerOf(request, 'idempotency-key'),
        ...(operation.method === 'POST'
          ? { body: await readJsonBody(request.raw, { isNeeded: operation.body !== undefined }) }
          : {}),
      },
      grant,
    )
    const id = limitedId(principal)
    const entering = edge.concurrency.enter(id)
    if (entering) await entering
    try {
      const context = { request_id: request.id, deadline: request.observed.startedAt + BACKEND_DEADLINE_MS }
      const answer = await handler(grant, input, context)
      if (!answer || !writeOutput)
        return { status: operation.status, body: '', resource_ids: namedInPath(request), count: 1 }
      return writeOutput(answer, input.query.response_format === 'detailed', links(edge, operation, grant, input))
    } finally {
      edge.concurrency.leave(id)
    }
  }

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { observed } = request
    // The router takes `/v1/patients/` for a path with an empty id; the contract has no such path.
    if (Object.values(request.params as Record<string, string>).includes('')) throw unknownPath()
    observed.operation = operation
    const authenticating = edge.authentication.identify(request)
    const principal = authenticating instanceof Promise ? await authenticating : authenticating
    observed.principal = principal
    await admit(edge, principal, reply)
    let output: Output
    try {
      output = await forward(request, principal)
    } catch (error) {
      const problem = problemOf(error)
      await audit(edge, request, principal, operation, {
        status: problem.status,
        resource_ids: namedInPath(request),
        count: 0,
      })
      throw problem
    }
    await audit(edge, request, principal, operation, output)
    return send(request, reply, output)
  }
}

/** Takes the request from the key's rate limit, and tells the client what is left of it. */
export async function admit(edge: Edge, principal: Principal, reply: FastifyReply): Promise<void> {
  const taking = edge.rateLimit.take(limitedId(principal), principal.rate_limit ?? edge.rate.requests)
  const taken = taking instanceof Promise ? await taking : taking
  reply.header('ratelimit-policy', `"default";q=${taken.limit};w=${edge.rate.seconds}`)
  reply.header('ratelimit', `"default";r=${taken.remaining};t=${taken.resetSeconds}`)
  if (taken.admitted) return
  const wait = taken.retryAfterSeconds
  throw new Problem('rate-limited', `Rate limit exceeded: retry after ${wait} seconds.`, { retry_after: wait })
}

/** Key ids are unique within a clinic. */
function limitedId(principal: Principal): string {
  return `${principal.clinic.clinic_id}/${principal.key_id}`
}

function binding(operation: Operation, grant: Grant, filters: Filters) {
  return { clinic_id: grant.clinic.clinic_id, operation: operation.id, filters }
}

function links(edge: Edge, operation: Operation, grant: Grant, input: Input) {
  return {
    cursor: (position: Position) => {
      const { limit, after, ...filters } = input.query
      return sealCursor(edge.cursorKeys, binding(operation, grant, { ...input.params, ...filters }), position)
    },
    address: (path: string) => new URL(edge.baseUrl).pathname.replace(/\/$/, '') + path,
    file: (file: StoredFile) => {
      const { clinic, principal } = grant
      const reference = { clinic_id: clinic.clinic_id, key_id: principal.key_id, file_id: file.file_id }
      const { url, expires_at } = signFileLink(edge.fileLinkKeys, edge.baseUrl, reference, edge.now())
      return { ...file, url, expires_at: zonedInstant(new Date(expires_at), clinic.time_zone, 0) }
    },
  }
}

/** The audit row is stored before the answer leaves; without it there is no answer. */
function audit(
  edge: Edge,
  request: FastifyRequest,
  principal: Principal,
  operation: Operation,
  outcome: Pick<Output, 'status' | 'resource_ids' | 'count'>,
): Promise<void> {
  return edge.auditTrail.add({
    at: new Date(edge.now()).toISOString(),
    clinic_id: principal.clinic.clinic_id,
    key_id: principal.key_id,
    operation: operation.id,
    surface: 'rest',
    resource_ids: outcome.resource_ids,
    count: outcome.count,
    status: outcome.status,
    request_id: request.id,
    address: edge.authentication.addressOf(request),
  })
}

/** The resource that a refused request asked for, cut to what an id can be. */
function namedInPath(request: FastifyRequest): string[] {
  return Object.values(request.params as Record<string, string>).map((id) =>
    id.slice(0, MAX.id).toWellFormed().replaceAll('\0', ''),
  )
}

function send(request: FastifyRequest, reply: FastifyReply, { status, body, headers }: Output): FastifyReply {
  reply.code(status)
  if (headers) reply.headers(headers)
  if (body === '') return reply.send()
  reply.type('application/json; charset=utf-8')
  // Encoded once, for the entity tag and for the socket.
  const bytes = Buffer.from(body)
  if (request.method === 'GET' || request.method === 'HEAD') {
    const etag = etagOf(bytes)
    reply.header('etag', etag)
    const known = request.headers['if-none-match']
    if (known !== undefined && matches(known, etag)) return reply.code(304).send()
  }
  return reply.send(bytes)
}

function searchOf(url: string | undefined): string {
  const cut = url?.indexOf('?') ?? -1
  return cut < 0 ? '' : (url ?? '').slice(cut + 1)
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
