// The request path of REST: one function, read from top to bottom. Each step needs a value that only an earlier one can make:
// authenticate → Principal → rate limit → call (authorize → Grant → read input → handler → write output → audit) → answer.
import { MAX, type Operation, takesBody } from '@clinic-data/contract'
import { readJsonBody } from '@clinic-data/contract/json-body'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matches } from '../answers/etag.ts'
import { unknownPath } from '../answers/problem-response.ts'
import type { Output } from '../answers/write-output.ts'
import { goneSignal } from '../connections/gone-signal.ts'
import { cursorsOf } from '../requests/operation-cursor.ts'
import { inputReader } from '../requests/read-input.ts'
import { callOf } from './call.ts'
import { admit, type Edge, identifyAgain } from './edge.ts'
import { mayWait, type Waiting } from './until-rows.ts'

/** Compiles the request path of one operation. */
export function pipeline(edge: Edge, operation: Operation) {
  const call = callOf(edge, operation)
  const readInput = inputReader(operation, cursorsOf(edge.cursorKeys, operation).open, edge.allowances)
  const needsBody = operation.body !== undefined
  // Also for HEAD, which asks for the headers of a GET.
  const isRead = operation.method === 'GET'
  const waits = mayWait(operation)

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { observed, raw } = request
    const params = request.params as Record<string, string>
    // The router treats `/v1/patients/` as a path with an empty id. The contract has no such path.
    if (Object.values(params).includes('')) throw unknownPath(raw.url?.split('?', 1)[0])
    observed.route = operation.path
    observed.operation = operation
    const watched = edge.deadline.start(reply, observed.startedAt)
    observed.watched = watched
    const authenticating = edge.authentication.identify(request)
    const principal = authenticating instanceof Promise ? await authenticating : authenticating
    observed.principal = principal
    await admit(edge, principal, request, reply)
    const asking = {
      principal,
      surface: 'rest' as const,
      request_id: request.id,
      address: edge.authentication.addressOf(request),
      startedAt: observed.startedAt,
      named: Object.fromEntries(Object.entries(params).map(([name, id]) => [name, auditableId(id)])),
      ...(waits ? waiting(edge, request, reply) : {}),
    }
    const readBody = () => edge.deadline.arrival(watched, readJsonBody(raw, { isNeeded: needsBody }))
    const output = await call(asking, async (grant, ask): Promise<Tagged> => {
      const input = {
        params,
        search: searchOf(raw.url),
        idempotency_key: headerOf(request, 'idempotency-key'),
        ...(takesBody(operation.method) ? { body: await readBody() } : {}),
      }
      if (takesBody(operation.method)) await identifyAgain(edge, request)
      const output = await ask(readInput(input, grant))
      // Before the audit row is stored: until the hash is made, the body consists of thousands of pieces.
      return isRead && output.body !== '' ? { ...output, etag: etagOf(output.body) } : output
    })
    return send(request, reply, output)
  }
}

function waiting(edge: Edge, request: FastifyRequest, reply: FastifyReply): Waiting {
  return {
    signal: AbortSignal.any([goneSignal(reply), edge.stopping]),
    checkKey: () => identifyAgain(edge, request),
  }
}

/** An id from a refused request, cut to the longest length of an id. */
export function auditableId(id: string): string {
  return id.slice(0, MAX.id).toWellFormed().replaceAll('\0', '')
}

/** An output, and the tag of a body that a client may have already. */
type Tagged = Output & { readonly etag?: string }

function send(request: FastifyRequest, reply: FastifyReply, { status, body, headers, etag }: Tagged): FastifyReply {
  reply.code(status)
  if (headers) reply.headers(headers)
  if (body === '') return reply.send()
  reply.type('application/json; charset=utf-8')
  if (etag !== undefined) {
    reply.header('etag', etag)
    const known = request.headers['if-none-match']
    if (known !== undefined && matches(known, etag)) return reply.code(304).send()
  }
  // As a text: a buffer of this size has its memory outside of the heap.
  return reply.send(body)
}

function searchOf(url: string | undefined): string {
  const cut = url?.indexOf('?') ?? -1
  return cut < 0 ? '' : (url ?? '').slice(cut + 1)
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
