// The backend's side of the port over HTTP: routes for a private listener, through which separate gateways reach it.
//
//   await app.register(portRoutes(backend, { token, log }))
//
// Anyone with the token may name any principal, so the token is checked first. A request's body is JSON of the agreed form
// (`@clinic-data/contract/port`). A violation is the gateway's fault, never its client's, and is answered without a problem.

import { createHash, timingSafeEqual } from 'node:crypto'
import { type Backend, type OpenedFile, Problem } from '@clinic-data/contract'
import { BodyMemory } from '@clinic-data/contract/body-memory'
import { bytesWithin } from '@clinic-data/contract/bytes-within'
import { keyFingerprints } from '@clinic-data/contract/key-fingerprints'
import { PORT_LIMITS, PORT_VERSION, portForms, portHeaders, portPaths } from '@clinic-data/contract/port'
import { patientIdsHeader } from '@clinic-data/contract/port-file-answer'
import type { SentReply } from '@clinic-data/contract/port-lines'
import type { SecretKeys } from '@clinic-data/contract/secret-keys'
import { contractMark } from '@clinic-data/contract/written-reply'
import { arriving } from '@clinic-data/surface/arriving-bytes'
import type { Log } from '@clinic-data/surface/log'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { answerTogether } from './port-answers.ts'
import { formed, inTime, type PortCall, portCalls, Refused, refusalOf } from './port-calls.ts'
import { continueTraces } from './port-trace.ts'

interface PortOptions {
  /** Every call must carry it: at least 32 characters. */
  token: string
  log: Log
  /** Gateways learn their fingerprints. Absent: nothing is compared. */
  secretKeys?: SecretKeys
  /** Whether the process is about to stop: its answers say so, and gateways turn to the others. */
  isDraining?: () => boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** By the monotonic clock: when the headers arrived. */
    portArrivedAt: number
    /** By the monotonic clock: when the gateway gives up the call. */
    portDeadline: number
  }
}

/** @throws Error when the token is too short to keep anyone out. */
export function portRoutes(
  backend: Backend,
  { token, log, secretKeys, isDraining = () => false }: PortOptions,
): FastifyPluginAsync {
  const { token_characters } = PORT_LIMITS
  if (token.length < token_characters)
    throw new Error(`the port's token must have at least ${token_characters} characters`)
  const shared = {
    ...(secretKeys !== undefined && { [portHeaders.secret_keys]: keyFingerprints(secretKeys) }),
    ...(backend.answerApp !== undefined && { [portHeaders.connects_apps]: '1' }),
  }
  return async (app) => {
    readJsonOnly(app)
    app.decorateRequest('portArrivedAt', 0)
    app.decorateRequest('portDeadline', 0)
    app.addHook('onRequest', admission(token))
    continueTraces(app)
    const standing = () => ({
      [portHeaders.takes_calls]: '1',
      [portHeaders.records_reads]: '1',
      ...(isDraining() && { [portHeaders.draining]: '1', connection: 'close' }),
    })
    app.addHook('onSend', async (request, reply) => {
      reply.headers(standing())
      // It has the token.
      if (request.portDeadline > 0) reply.headers(shared)
    })
    app.setErrorHandler((error, request, reply) => answerError(log, error, request, reply))

    app.get(portPaths.ready, async (request) => {
      await inTime(request.portDeadline, () => backend.ready())
      return { version: PORT_VERSION }
    })
    const { paths, answer } = portCalls(backend, log)
    for (const path of paths) {
      app.post(path, async (request, reply) => {
        const { body, portDeadline: deadline } = request
        return send(
          reply,
          await answer({ path, body, deadline, ...callerOf(request), request_id: requestIdOf(request) }),
        )
      })
    }
    app.post(portPaths.calls, async (request, reply) => {
      const { calls } = formed(request.body, portForms.callsRequest)
      const takesWritten = headerOf(request, portHeaders.contract) === contractMark()
      const portCalls = calls.map(({ path, body, deadline_ms, request_id = '' }) => {
        const deadline = request.portArrivedAt + Math.min(deadline_ms, PORT_LIMITS.deadline_ms)
        return { path, body, request_id, deadline, takesWritten, ...callerOf(request) }
      })
      if (portCalls.length === 0) throw new Refused(400, 'the message has no calls')
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', ...standing(), ...shared })
      answerTogether(portCalls, answer, reply.raw)
    })
    app.post(portPaths.files, async (request, reply) => {
      const { file, range } = formed(request.body, portForms.fileRequest)
      const address = headerOf(request, portHeaders.client_address)
      return sendFile(await inTime(request.portDeadline, () => backend.openFile(file, range, address)), reply)
    })
  }
}

function requestIdOf(request: FastifyRequest): string {
  return headerOf(request, portHeaders.request_id) ?? ''
}

function callerOf(request: FastifyRequest): Pick<PortCall, 'comparesNetworks'> {
  return { comparesNetworks: headerOf(request, portHeaders.compares_networks) === '1' }
}

function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name]
  return value === undefined ? null : String(value)
}

function send(reply: FastifyReply, { status, text }: SentReply): FastifyReply {
  reply.code(status)
  return text === '' ? reply.send() : reply.type('application/json; charset=utf-8').send(text)
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
    request.portArrivedAt = performance.now()
    request.portDeadline = request.portArrivedAt + Math.min(Number(remaining), PORT_LIMITS.deadline_ms)
  }
}

/** Compares hashes of equal length, in a time that reveals nothing about the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const REFUSED_FILE = { missing: 404, revoked: 410, elsewhere: 403, unsatisfiable: 416 } as const

function sendFile(opened: OpenedFile, reply: FastifyReply): FastifyReply {
  if (opened.state !== 'open') return reply.code(REFUSED_FILE[opened.state]).send(opened)
  const { first, last, size_bytes } = opened
  const length = last - first + 1
  if (length < size_bytes) reply.code(206).header('content-range', `bytes ${first}-${last}/${size_bytes}`)
  return reply
    .header('content-type', opened.content_type)
    .header('content-length', length)
    .header(portHeaders.file_name, encodeURIComponent(opened.file_name.toWellFormed()))
    .header(portHeaders.patient_ids, patientIdsHeader(opened.patient_ids ?? []))
    .send(opened.stream)
}

function answerError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isMissing = error instanceof Problem ? error.slug === 'request-timeout' : isBroken(request)
  if (isMissing) return reply.code(408).send({ error: 'the body did not arrive' })
  // The HTTP server's own refusal: it violates the agreement too.
  const isOfOtherType = (error as { code?: string } | null)?.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
  const refused = isOfOtherType ? new Refused(415, (error as Error).message) : error
  return send(
    reply,
    refusalOf(log, refused, { path: request.routeOptions.url ?? '', request_id: requestIdOf(request) }),
  )
}

/** The gateway gave up the call in the middle of its body. */
function isBroken({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}
