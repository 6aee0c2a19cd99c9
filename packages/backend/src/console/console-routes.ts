// The routes of the console, the page of a clinic's administrators: on the private listener, below `/console/api`.
//
//   const parts = { consoleDatabase, now, log, baseUrl, failedSignIns, addressOf, isSecure }
//   await app.register(consoleRoutes(parts), { prefix: '/console/api' })
//
// A request is checked in this order: path, method, the page that sent it, its session, its form. Every change is stored with
// its row in the audit log.
import { Problem } from '@clinic-data/contract'
import { allConsoleOperations, consoleOperations } from '@clinic-data/contract/console/console-operations'
import { OPENID_RETURN } from '@clinic-data/contract/console/openid-operations'
import { newId } from '@clinic-data/contract/new-id'
import { PROBLEM_TYPE, problemBody } from '@clinic-data/contract/problem-body'
import { routerPath } from '@clinic-data/contract/routes'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { problemOf } from '../ingest/problem-of.ts'
import { type ConsoleHandlers, consoleHandlers } from './console-handlers.ts'
import type { ConsoleParts } from './console-parts.ts'
import { lookAtLinkRoute } from './look-at-link-route.ts'
import { OpenIdProvider } from './openid-provider.ts'
import { beginOpenIdRoute, openIdReturnRoute, signInWaysRoute } from './openid-routes.ts'
import { passkeyChallengeRoute } from './passkey-challenge-route.ts'
import { sessionRoute } from './session-route.ts'
import { SignInCount } from './sign-in-count.ts'
import { signInRoute } from './sign-in-route.ts'

export type { ConsoleParts, DemoPart, FailedSignIns } from './console-parts.ts'

export const CONSOLE_API = '/console/api'

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's id in its answer, its audit row and the log. */
    consoleId: string
  }
}

export function consoleRoutes(parts: ConsoleParts): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers()
    // The routes read the bytes themselves.
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    app.decorateRequest('consoleId', '')
    app.addHook('onRequest', async (request, reply) => {
      request.consoleId = newId('req', parts.now())
      reply.headers({
        'x-request-id': request.consoleId,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
    })
    app.setErrorHandler((error, request, reply) => answerProblem(parts, error, request, reply))
    app.setNotFoundHandler((request, reply) =>
      answerProblem(parts, new Problem('not-found', 'The console has no such path.'), request, reply),
    )
    const handlers = consoleHandlers(parts)
    const signIns = new SignInCount(parts)
    const provider = parts.openId && new OpenIdProvider(parts.openId, parts.now)
    for (const name of Object.keys(consoleOperations) as (keyof typeof consoleOperations)[]) {
      const { method, path } = consoleOperations[name]
      app.route({ method, url: urlOf(path), handler: routeOf(parts, name, { handlers, provider, signIns }) })
    }
    app.get(urlOf(OPENID_RETURN), openIdReturnRoute(parts, provider, signIns))
    refuseOtherMethods(app)
  }
}

interface Answering {
  handlers: ConsoleHandlers
  provider: OpenIdProvider | null
  signIns: SignInCount
}

function routeOf(
  parts: ConsoleParts,
  name: keyof typeof consoleOperations,
  { handlers, provider, signIns }: Answering,
) {
  if (name === 'signIn' || name === 'signInByLink' || name === 'signInByPasskey')
    return signInRoute(parts, name, signIns)
  if (name === 'lookAtLink') return lookAtLinkRoute(parts, signIns)
  if (name === 'passkeySignInChallenge') return passkeyChallengeRoute(parts)
  if (name === 'signInWays') return signInWaysRoute(provider)
  if (name === 'beginOpenId') return beginOpenIdRoute(parts, provider)
  return sessionRoute(parts, name, handlers)
}

/** Within the prefix. */
function urlOf(path: string): string {
  return routerPath(path.slice(CONSOLE_API.length))
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function refuseOtherMethods(app: FastifyInstance): void {
  for (const [path, known] of Map.groupBy(allConsoleOperations, (operation) => operation.path)) {
    const allowed: readonly string[] = known.map(({ method }) => method)
    const handler = async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.header('allow', allowed.join(', '))
      throw new Problem('method-not-allowed', `This path takes ${allowed.join(' and ')}.`)
    }
    app.route({ method: METHODS.filter((name) => !allowed.includes(name)), url: urlOf(path), handler })
  }
}

function answerProblem(
  { log, baseUrl }: ConsoleParts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error, request)
  const { consoleId: request_id } = request
  if (problem.status >= 500) {
    log.error({ err: problem.cause, request_id, route: request.routeOptions.url }, 'a request of the console failed')
  }
  // Otherwise a slow sender would keep the connection open with bytes that are not read.
  if (problem.slug === 'request-timeout') reply.header('connection', 'close')
  const wait = problem.members.retry_after
  if (wait !== undefined) reply.header('retry-after', String(wait))
  return reply
    .code(problem.status)
    .type(PROBLEM_TYPE)
    .send(problemBody(problem, baseUrl, request_id))
}
