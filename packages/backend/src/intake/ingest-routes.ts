// The ingest API for a clinic's own systems: routes for a private listener, below `/ingest`.
//
//   await app.register(ingestRoutes({ database, now, log, baseUrl, fileLinkKeys, addressOf }), { prefix: '/ingest' })
//
// A request is checked in this order: path, method, token, media type, size, form, and then, within the transaction, the ids that
// it names and the rules.
import type { IncomingMessage } from 'node:http'
import { problemHeaders } from '@clinic-data/contract/problem-body'
import { routerPath } from '@clinic-data/contract/routes'
import { problemOf, refuseOtherMethods, servePrivately } from '@clinic-data/surface/private-api'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { IngestOperation } from '../ingest/ingest-operation.ts'
import type { IngestParts } from '../ingest/ingest-parts.ts'
import { ingestOperations } from '../ingest/operations.ts'
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
import { type Intake, intake as intakeOf } from './intake.ts'
import { answering, type Run, storing } from './runs.ts'

export type { IngestParts } from '../ingest/ingest-parts.ts'

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
    servePrivately(app, {
      ...parts,
      headers: {},
      headersOf: problemHeaders,
      failed: 'an ingest request failed',
      unknownPath: 'There is no such path. See /ingest/openapi.json.',
    })
    const document = JSON.stringify(ingestDocument(ingestOperations, parts.baseUrl))
    app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
    for (const operation of ingestOperations) {
      const run = 'record' in operation ? storing(intake, lines) : answering(parts, operation, lines)
      route(app, admitting, operation, run)
    }
    refuseOtherMethods(app, ingestOperations, urlOf)
  }
}

/** Within the prefix. */
const urlOf = (path: string) => routerPath(`/v1${path}`)

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
    const origin = { request_id: request.requestId, address: addressOf(request.raw) }
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
  app.route({ method, url: urlOf(path), handler })
}
