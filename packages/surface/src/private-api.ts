// The routes of an API on the private listener (the console's, the one of a clinic's own systems), in what all of them do alike: a request
// has an id, its route reads the body, a failure is answered as a problem, and a path refuses the methods that it does not have.
import { Problem } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { PROBLEM_TYPE, problemBody } from '@clinic-data/contract/problem-body'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Log } from './log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** It stands in the answer, the audit row and the log. */
    requestId: string
  }
}

export interface PrivateApi {
  now: () => Date
  log: Log
  /** The public API's address without a slash at its end: problems are described there. */
  baseUrl: string
  /** Every answer has them. */
  headers: Readonly<Record<string, string>>
  headersOf(problem: Problem): Readonly<Record<string, string>>
  /** The log's words for a request that failed by a fault of ours. */
  failed: string
  /** The detail of the answer to an unknown path. */
  unknownPath: string
}

export function servePrivately(app: FastifyInstance, api: PrivateApi): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.decorateRequest('requestId', '')
  app.addHook('onRequest', async (request, reply) => {
    request.requestId = newId('req', api.now())
    reply.headers({ 'x-request-id': request.requestId, 'cache-control': 'no-store', ...api.headers })
  })
  app.setErrorHandler((error, request, reply) => answerProblem(api, error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    answerProblem(api, new Problem('not-found', api.unknownPath), request, reply),
  )
}

function answerProblem(
  { log, baseUrl, failed, headersOf }: PrivateApi,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error, request)
  const { requestId: request_id } = request
  if (problem.status >= 500) log.error({ err: problem.cause, request_id, route: request.routeOptions.url }, failed)
  // Otherwise a slow sender would keep the connection open with bytes that are not read.
  if (problem.slug === 'request-timeout') reply.header('connection', 'close')
  return reply
    .code(problem.status)
    .headers(headersOf(problem))
    .type(PROBLEM_TYPE)
    .send(problemBody(problem, baseUrl, request_id))
}

/** Converts any error to a problem for the sender: a Problem, a refusal of the HTTP server, or anything else. */
export function problemOf(error: unknown, { raw }: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  // The sender has gone and does not read it, but the audit log and the metrics need the right status.
  if (raw.destroyed && !raw.complete) {
    return new Problem('request-timeout', 'The request did not arrive whole. Send it again.')
  }
  switch ((error as { statusCode?: number } | null)?.statusCode) {
    case 400:
      return new Problem('invalid-request', 'The request is not well formed.')
    case 415:
      return new Problem('unsupported-media-type', 'Send a Content-Type that can be read.')
    default: {
      const detail = 'An unexpected error. Send the same again: what was stored is not stored twice.'
      return new Problem('internal-error', detail, {}, error)
    }
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** @param urlOf the router's form of an operation's path */
export function refuseOtherMethods(
  app: FastifyInstance,
  operations: readonly { readonly method: HTTPMethods; readonly path: string }[],
  urlOf: (path: string) => string,
): void {
  for (const [path, known] of Map.groupBy(operations, (operation) => operation.path)) {
    const allowed: readonly string[] = known.map(({ method }) => method)
    const handler = async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.header('allow', allowed.join(', '))
      throw new Problem('method-not-allowed', `This path takes ${allowed.join(' and ')}.`)
    }
    app.route({ method: METHODS.filter((name) => !allowed.includes(name)), url: urlOf(path), handler })
  }
}
