// Makes the private listener for the metrics, the ingest API and the backend's port. It has the same limits as the public one, and
// its own share of the process's connections.
import { REQUEST } from '@clinic-data/contract'
import { PROBLEM_TYPE, problemBody, problemHeaders } from '@clinic-data/contract/problem-body'
import { problemOf } from '@clinic-data/gateway/answers/problem-response'
import { newRequestId } from '@clinic-data/gateway/answers/request-id'
import { limitAddresses } from '@clinic-data/gateway/connections/address-limit'
import { ClientAddress } from '@clinic-data/gateway/connections/client-address'
import { makeRoom } from '@clinic-data/gateway/connections/full-listener'
import { giveLastAnswers } from '@clinic-data/gateway/connections/last-answers'
import { closeUnread, limitedServer } from '@clinic-data/gateway/connections/limited-server'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { keepPlaces } from './kept-places.ts'

/** No limit: each route ends a body that comes too slowly, and a file may be large. */
const REQUEST_MS = 0
/** Nothing is sent while a batch waits for its turn and is stored. */
const IDLE_MS = 60_000

export interface AdminListenerOptions {
  maxConnections: number
  trustedProxies: readonly string[]
  /** How long a connection of theirs may have no request. */
  proxyIdleMs?: number | undefined
  baseUrl: string
  log: Logger
  /** Whether the process was told in good time that it will stop. */
  isDraining?: () => boolean
}

export function adminListener(options: AdminListenerOptions): FastifyInstance {
  const { maxConnections, trustedProxies, proxyIdleMs, baseUrl, log, isDraining = () => false } = options
  const clientAddress = new ClientAddress(trustedProxies)
  const app = Fastify({
    serverFactory: (handler) =>
      limitedServer(handler, { clientAddress, requestMs: REQUEST_MS, idleMs: IDLE_MS, proxyIdleMs }),
    logger: false,
    genReqId: newRequestId,
    // The router's own refusals reach no error handler.
    frameworkErrors: (error, { id }, reply) => answerProblem(error, id, reply, baseUrl),
    return503OnClosing: false,
    routerOptions: { maxParamLength: REQUEST.header_bytes },
  })
  // This answers only refusals of the listener itself. Routes answer their own errors.
  app.setErrorHandler((error: Error, { id }, reply) => answerProblem(error, id, reply, baseUrl))
  // Half of them: one machine may be a whole gateway, and another must find room.
  limitAddresses(app, { clientAddress, most: Math.ceil(maxConnections / 2), log })
  giveLastAnswers(app, isDraining)
  makeRoom(app, clientAddress, maxConnections)
  keepPlaces(app, clientAddress, maxConnections)
  // Each route reads its body itself. A body for an unknown path is refused unread.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onSend', closeUnread)
  return app
}

function answerProblem(error: Error, request_id: string, reply: FastifyReply, baseUrl: string): void {
  const problem = problemOf(error)
  const headers = { ...problemHeaders(problem), 'x-request-id': request_id, 'cache-control': 'no-store' }
  reply.code(problem.status).headers(headers).type(PROBLEM_TYPE)
  reply.send(problemBody(problem, baseUrl, request_id))
}
