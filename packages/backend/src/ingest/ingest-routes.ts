// The ingest API for a clinic's own systems: routes for a private listener, below `/ingest`.
//
//   await app.register(ingestRoutes({ database, now, log, baseUrl, fileLinkKeys, addressOf }), { prefix: '/ingest' })
//
// A request is checked in this order: path, method, token, media type, size, form, and then, within the transaction, the ids that
// it names and the rules.
import type { IncomingMessage } from 'node:http'
import { Problem } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { PROBLEM_TYPE, problemBody, problemHeaders } from '@clinic-data/contract/problem-body'
import { routerPath } from '@clinic-data/contract/routes'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Asking,
  audit,
  type Identify,
  identification,
  type Outcome,
  requireRate,
  type TokenRate,
} from './admission.ts'
import { ingestDocument } from './ingest-document.ts'
import { IngestLines } from './ingest-lines.ts'
import type { IngestOperation } from './ingest-operation.ts'
import type { IngestParts } from './ingest-parts.ts'
import { type Intake, intake as intakeOf } from './intake.ts'
import { ingestOperations } from './operations.ts'
import { problemOf } from './problem-of.ts'
import { answering, type Run, storing } from './runs.ts'

export type { IngestParts } from './ingest-parts.ts'

export interface IngestRouteParts extends IngestParts {
  /** Takes in records. Default: the thread that serves requests. */
  intake?: Intake
  /** The limit of a token. Default: none. */
  rate?: TokenRate
  /** The address of the clinic's system, for the audit log: a trusted proxy may stand between. */
  addressOf: (request: IncomingMessage) => string
}

export function ingestRoutes({ intake: ownIntake, rate, addressOf, ...parts }: IngestRouteParts): FastifyPluginAsync {
  return async (app) => {
    const lines = new IngestLines()
    const intake = ownIntake ?? intakeOf(parts)
    const admitting = { parts, rate, addressOf, identify: identification(parts) }
    app.removeAllContentTypeParsers()
    // The operations read the bytes themselves.
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    app.decorateRequest('ingestId', '')
    app.addHook('onRequest', async (request, reply) => {
      request.ingestId = newId('req', parts.now())
      reply.header('x-request-id', request.ingestId).header('cache-control', 'no-store')
    })
    app.setErrorHandler((error, request, reply) => answerProblem(parts, error, request, reply))
    app.setNotFoundHandler((request, reply) =>
      answerProblem(
        parts,
        new Problem('not-found', 'There is no such path. See /ingest/openapi.json.'),
        request,
        reply,
      ),
    )
    const document = JSON.stringify(ingestDocument(ingestOperations, parts.baseUrl))
    app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
    for (const operation of ingestOperations) {
      const run = 'record' in operation ? storing(intake, lines) : answering(parts, operation, lines)
      route(app, admitting, operation, run)
    }
    refuseOtherMethods(app)
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's id in its answer, its audit row and the log. */
    ingestId: string
  }
}

interface Admitting {
  parts: IngestParts
  rate: TokenRate | undefined
  addressOf: IngestRouteParts['addressOf']
  identify: Identify
}

/** If a token's rate admits a request, its audit row is stored before its answer is sent, even if the request fails. */
function route(
  app: FastifyInstance,
  { parts, rate, addressOf, identify }: Admitting,
  { id, method, path }: IngestOperation,
  run: Run,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const startedAt = process.hrtime.bigint()
    const principal = await identify(request)
    if (rate !== undefined) requireRate(rate, principal)
    const origin = { request_id: request.ingestId, address: addressOf(request.raw) }
    const asking: Asking = { principal, operation: id, startedAt, ...origin }
    const record = (outcome: Outcome) => audit(parts, asking, outcome)
    const { data, ids, patient_ids, isRecorded } = await run(request, asking).catch(async (error: unknown) => {
      const { status, slug: problem } = problemOf(error, request)
      await record({ status, problem, ids: [], patient_ids: [] })
      throw error
    })
    if (isRecorded !== true) await record({ status: 200, ids, patient_ids })
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ data }))
  }
  app.route({ method, url: routerPath(`/v1${path}`), handler })
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function refuseOtherMethods(app: FastifyInstance): void {
  for (const [path, known] of Map.groupBy(ingestOperations, (operation) => operation.path)) {
    const allowed: readonly string[] = known.map(({ method }) => method)
    const handler = async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.header('allow', allowed.join(', '))
      throw new Problem('method-not-allowed', `This path takes ${allowed.join(' and ')}.`)
    }
    const method = METHODS.filter((name) => !allowed.includes(name))
    app.route({ method, url: routerPath(`/v1${path}`), handler })
  }
}

function answerProblem(
  { log, baseUrl }: IngestParts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error, request)
  const { ingestId: request_id } = request
  if (problem.status >= 500) {
    log.error({ err: problem.cause, request_id, route: request.routeOptions.url }, 'an ingest request failed')
  }
  // Otherwise a slow sender would keep the connection open with bytes that are not read.
  if (problem.slug === 'request-timeout') reply.header('connection', 'close')
  return reply
    .code(problem.status)
    .headers(problemHeaders(problem))
    .type(PROBLEM_TYPE)
    .send(problemBody(problem, baseUrl, request_id))
}
