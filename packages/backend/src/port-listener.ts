// The backend's side of the port over HTTP: routes for a private listener, through which separate gateways reach it.
//
//   await app.register(portRoutes(backend, { token, log }))
//
// Anyone with the token may name any principal, so the token is checked first. A request's body is JSON of the agreed form
// (`@clinic-data/contract/port`). A violation is the gateway's fault, never its client's, and is answered without a problem.

import { createHash, timingSafeEqual } from 'node:crypto'
import {
  type AnyHandler,
  allOperations,
  type Backend,
  Grant,
  type HandlerInput,
  handlerOf,
  type OpenedFile,
  type Operation,
  Problem,
} from '@clinic-data/contract'
import { BodyMemory } from '@clinic-data/contract/body-memory'
import { bytesWithin } from '@clinic-data/contract/bytes-within'
import { PORT_LIMITS, PORT_VERSION, portForms, portHeaders, portPaths, portProblems } from '@clinic-data/contract/port'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { arriving } from './ingest/arriving-bytes.ts'
import type { Log } from './log.ts'

interface PortOptions {
  /** Every call must carry it: at least 32 characters. */
  token: string
  log: Log
  /** Whether the process is about to stop: its answers say so, and gateways turn to the others. */
  isDraining?: () => boolean
}

/** A call that violates the agreement. The status tells the gateway's operator how. */
class Refused extends Error {
  readonly status: 400 | 401 | 413 | 415

  constructor(status: Refused['status'], message: string) {
    super(message)
    this.status = status
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** By the monotonic clock: when the gateway gives up the call. */
    portDeadline: number
  }
}

/** @throws Error when the token is too short to keep anyone out. */
export function portRoutes(
  backend: Backend,
  { token, log, isDraining = () => false }: PortOptions,
): FastifyPluginAsync {
  const { token_characters } = PORT_LIMITS
  if (token.length < token_characters)
    throw new Error(`the port's token must have at least ${token_characters} characters`)
  return async (app) => {
    readJsonOnly(app)
    app.decorateRequest('portDeadline', 0)
    app.addHook('onRequest', admission(token))
    app.addHook('onSend', async (_request, reply) => {
      if (isDraining()) reply.headers({ [portHeaders.draining]: '1', connection: 'close' })
    })
    app.setErrorHandler((error, request, reply) => answerError(log, error, request, reply))

    app.get(portPaths.ready, async (request) => {
      await inTime(request, () => backend.ready())
      return { version: PORT_VERSION }
    })
    app.post(portPaths.authenticate, async (request) => {
      const { key_hash } = bodyOf(request, portForms.authenticateRequest)
      return { principal: await inTime(request, () => backend.authenticate(key_hash)) }
    })
    for (const operation of allOperations) {
      const handler = handlerOf(backend, operation)
      app.post(portPaths.operation(operation.id), (request, reply) => operate(operation, handler, request, reply))
    }
    app.post(portPaths.audit, async (request, reply) => {
      const { rows } = bodyOf(request, portForms.auditRequest)
      await inTime(request, () => backend.audit(rows as Parameters<Backend['audit']>[0]))
      return reply.code(204).send()
    })
    app.post(portPaths.files, async (request, reply) => {
      const { file, range } = bodyOf(request, portForms.fileRequest)
      return sendFile(await inTime(request, () => backend.openFile(file, range)), reply)
    })
  }
}

async function operate(operation: Operation, handler: AnyHandler, request: FastifyRequest, reply: FastifyReply) {
  const { principal, input } = bodyOf(request, portForms.operationRequest)
  const grant = Grant.authorize(principal as Grant['principal'], operation)
  const request_id = String(request.headers[portHeaders.request_id] ?? '')
  const context = { request_id, deadline: request.portDeadline }
  const answer = await inTime(request, () => handler(grant, input as HandlerInput<Operation>, context))
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
}

/** Room for four of the largest bodies. Calls are a few KiB, groups of audit rows some hundred KiB. */
const BODIES_BYTES = 4 * PORT_LIMITS.request_bytes

/** Reads bodies with plain `JSON.parse`, so that a client may use any name within `meta`. */
function readJsonOnly(app: FastifyInstance): void {
  const bodies = new BodyMemory(BODIES_BYTES)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async ({ raw }: FastifyRequest) => {
    if (Number(raw.headers['content-length'] ?? 0) > PORT_LIMITS.request_bytes) throw tooLarge()
    const body = await bodies.hold(arriving(raw), textOf)
    try {
      return JSON.parse(body)
    } catch {
      throw new Refused(400, 'the body is not JSON')
    }
  })
}

async function textOf(arriving: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await bytesWithin(arriving, PORT_LIMITS.request_bytes)
  if (bytes === null) throw tooLarge()
  return bytes.toString()
}

function tooLarge(): Refused {
  return new Refused(413, `the body has more than ${PORT_LIMITS.request_bytes} bytes`)
}

/** Checks the token, then reads how long the gateway waits for the answer, counted from the arrival of the headers. */
function admission(token: string) {
  const expected = digest(`Bearer ${token}`)
  return async (request: FastifyRequest): Promise<void> => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      throw new Refused(401, 'the token is not the one of this backend')
    }
    const remaining = String(request.headers[portHeaders.deadline] ?? PORT_LIMITS.deadline_ms)
    if (!/^\d{1,9}$/.test(remaining)) throw new Refused(400, `${portHeaders.deadline} is not a number of milliseconds`)
    request.portDeadline = performance.now() + Math.min(Number(remaining), PORT_LIMITS.deadline_ms)
  }
}

/** Compares hashes of equal length, in a time that reveals nothing about the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function bodyOf<T>({ body }: FastifyRequest, form: { accepts(value: unknown): value is T }): T {
  if (!form.accepts(body)) throw new Refused(400, 'the body does not have the form of this version of the port')
  return body
}

/** Starts no work after the deadline and waits for none beyond it. */
async function inTime<T>({ portDeadline }: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const remaining = portDeadline - performance.now()
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

const REFUSED_FILE = { missing: 404, revoked: 410, unsatisfiable: 416 } as const

function sendFile(opened: OpenedFile, reply: FastifyReply): FastifyReply {
  if (opened.state !== 'open') return reply.code(REFUSED_FILE[opened.state]).send(opened)
  const { first, last, size_bytes } = opened
  const length = last - first + 1
  if (length < size_bytes) reply.code(206).header('content-range', `bytes ${first}-${last}/${size_bytes}`)
  return reply
    .header('content-type', opened.content_type)
    .header('content-length', length)
    .header(portHeaders.file_name, encodeURIComponent(opened.file_name.toWellFormed()))
    .send(opened.stream)
}

function answerError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Problem && (portProblems as readonly string[]).includes(error.slug)) {
    const { slug, message, members, status, cause } = error
    if (status >= 500 && cause !== undefined) logged(log, cause, request)
    return reply.code(status).send({ slug, detail: message, members })
  }
  const isMissing = error instanceof Problem ? error.slug === 'request-timeout' : isBroken(request)
  if (isMissing) return reply.code(408).send({ error: 'the body did not arrive' })
  const status = error instanceof Refused ? error.status : STATUS_OF[(error as { code?: string } | null)?.code ?? '']
  if (status !== undefined) return reply.code(status).send({ error: (error as Error).message })
  logged(log, error, request)
  return reply.code(500).send({ slug: 'internal-error', detail: 'An unexpected error.', members: {} })
}

/** Requests that the HTTP server itself refuses violate the agreement too. */
const STATUS_OF: Record<string, number> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 415,
}

/** The gateway gave up the call in the middle of its body. */
function isBroken({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

function logged(log: Log, error: unknown, request: FastifyRequest): void {
  const request_id = request.headers[portHeaders.request_id] ?? null
  log.error({ err: error, request_id, route: request.routeOptions.url }, 'a call of the port failed')
}
