// The private doors of a clinic's own systems: routes for a private listener, below `/ingest`.
//
//   await app.register(ingestRoutes({ database, now, log, baseUrl }), { prefix: '/ingest' })
import { type Clinic, Problem } from '@clinic-data/contract'
import { readJsonBody } from '@clinic-data/contract/json-body'
import { newId } from '@clinic-data/contract/new-id'
import { PROBLEM_TYPE, problemBody, problemHeaders } from '@clinic-data/contract/problem-body'
import type { Database } from '@clinic-data/database'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { appendAudit } from '../audit.ts'
import { RefusedRows } from '../changes/refused-rows.ts'
import { writeChanges } from '../changes/write-changes.ts'
import type { Log } from '../log.ts'
import { tellingOutages } from '../outage.ts'
import { ingestDocument } from './ingest-document.ts'
import type { IngestOperation, Outcome } from './ingest-operation.ts'
import { type IngestPrincipal, ingestPrincipal } from './ingest-tokens.ts'
import { ingestOperations } from './operations.ts'
import { requireReferences } from './references.ts'
import { recordsReader, refused } from './sent-records.ts'
import { WaitingLine } from './waiting-line.ts'

export interface IngestParts {
  /** As the application's role. */
  database: Database
  now: () => Date
  log: Log
  /** Of the public API: problems are described there. */
  baseUrl: string
}

/** A batch of 1,000 whole patients is about 2 MiB; a transcript of a long call some hundred KiB. */
export const INGEST_BODY_BYTES = 16 * 1024 * 1024

/** Of the eight connections that write, two are left to the public API. */
const AT_ONCE = 6

declare module 'fastify' {
  interface FastifyRequest {
    ingest: IngestPrincipal | null
  }
}

export function ingestRoutes(parts: IngestParts): FastifyPluginAsync {
  return async (app) => {
    const line = new WaitingLine(AT_ONCE)
    app.removeAllContentTypeParsers()
    // The routes read the bytes themselves.
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    app.decorateRequest('ingest', null)
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
    for (const operation of ingestOperations) storeRoute(app, parts, operation, line)
  }
}

/** Before anything else is looked at. */
export async function identify({ database }: IngestParts, request: FastifyRequest): Promise<IngestPrincipal> {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const principal = await tellingOutages(ingestPrincipal)(database, token)
  if (principal === null) {
    throw new Problem('unauthorized', 'Send a valid ingest token in the header: Authorization: Bearer <token>.')
  }
  request.ingest = principal
  return principal
}

function storeRoute(app: FastifyInstance, parts: IngestParts, operation: IngestOperation, line: WaitingLine): void {
  const readRecords = recordsReader(operation)
  const store = tellingOutages(async (clinic: Clinic, records: readonly Record<string, unknown>[]) =>
    writeChanges(parts, clinic, async (tx, now) => {
      await requireReferences(tx, clinic, operation, records)
      return operation.apply(tx, clinic, records, now)
    }),
  )
  app.post(`/v1${operation.path}`, async (request, reply) => {
    const { clinic } = await identify(parts, request)
    const sent = readRecords(await readJsonBody(request.raw, { maxBytes: INGEST_BODY_BYTES }), clinic)
    try {
      const outcomes = await line.run(() => store(clinic, sent.records))
      await audit(parts, request, operation.id, outcomes)
      const data = sent.isBatch ? outcomes : outcomes[0]
      return reply.type('application/json; charset=utf-8').send(JSON.stringify({ data }))
    } catch (error) {
      throw error instanceof RefusedRows ? refused(error.rows, sent) : error
    }
  })
}

/** What an audit row names at most. */
const AUDITED_IDS = 100

/** Stored before the answer leaves. */
export async function audit(
  { database, now }: IngestParts,
  request: FastifyRequest,
  operation: string,
  outcomes: readonly Pick<Outcome, 'id'>[],
  status = 200,
): Promise<void> {
  const { ingest } = request
  if (ingest === null) return
  await appendAudit(database, [
    {
      at: now().toISOString(),
      clinic_id: ingest.clinic.clinic_id,
      key_id: ingest.token_id,
      operation: `ingest.${operation}`,
      surface: 'ingest',
      resource_ids: outcomes.slice(0, AUDITED_IDS).map(({ id }) => id),
      count: outcomes.length,
      status,
      request_id: request.id,
      address: request.ip,
    },
  ])
}

function answerProblem(
  { log, baseUrl, now }: IngestParts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = error instanceof Problem ? error : unexpected(error)
  const request_id = newId('req', now())
  if (problem.status >= 500) {
    log.error({ err: problem.cause, request_id, route: request.routeOptions.url }, 'an ingest request failed')
  }
  return reply
    .code(problem.status)
    .headers(problemHeaders(problem))
    .type(PROBLEM_TYPE)
    .send(problemBody(problem, baseUrl, request_id))
}

function unexpected(cause: unknown): Problem {
  return new Problem(
    'internal-error',
    'An unexpected error. Send the same again: what was stored is not stored twice.',
    {},
    cause,
  )
}
