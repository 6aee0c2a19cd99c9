// The endpoints below `/oauth`, at which apps take tokens, end them, register, and read their registration. The gateway reads and limits; what
// a request means is decided behind the port.
import type { Problem } from '@clinic-data/contract'
import { boundsOf } from '@clinic-data/contract/address-block'
import {
  type AnswerApp,
  type AppAnswer,
  type AppEndpoint,
  type AppRequest,
  appEndpoints,
} from '@clinic-data/contract/app-request'
import { routerPath } from '@clinic-data/contract/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problemOf } from '../answers/problem-response.ts'
import { BACKEND_DEADLINE_MS } from '../calls/call.ts'
import { type Edge, report } from '../calls/edge.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { Watched } from '../limits/deadline.ts'
import { FailedAttempts } from '../limits/failed-attempts.ts'
import { MemoryRateLimit } from '../limits/rate-limit.ts'
import type { GatewayMetrics } from '../telemetry/metrics.ts'
import { ANY_ORIGIN, preflight } from './any-origin.ts'
import { readAppForm } from './app-form.ts'
import { AppRefusal, refusalOf, tooMany } from './app-refusal.ts'

/**
 * In a minute from one block of addresses, and more from a wider one. An app registers once, it reads that when it starts, and a device asks
 * again only when a person was too slow.
 */
const MOST_A_MINUTE: Partial<Record<AppRoute['name'], number>> = { register: 10, registration: 30, device: 30 }

interface AppRoute {
  /** In measurements. */
  readonly name: AppEndpoint | 'registration'
  readonly endpoint: AppEndpoint
  readonly method: 'GET' | 'POST'
  readonly path: string
}

const REGISTRATION: AppRoute = {
  name: 'registration',
  endpoint: 'register',
  method: 'GET',
  path: '/oauth/register/{client_id}',
}

/**
 * Whoever guesses gets these, whoever makes us read documents in vain, and a device that asks sooner than it was told. Sixty a minute from one
 * address are more than apps that were ended send.
 */
const OF_GUESSING = ['invalid_client', 'invalid_grant', 'invalid_token', 'temporarily_unavailable', 'slow_down']
/** An app that waits for a person or that the clinic has stopped gets these, also one that signs each request. */
const OF_WAITING = ['authorization_pending', 'access_denied']

/** Requests from addresses that guess wait in one short line, so that they keep the database from nobody. */
const APART = {
  maxRunning: 2,
  maxWaiting: 16,
  waitMs: 1_000,
  busy: 'Too many refused requests come from this address.',
}
const LANE = 'apart'

/** The codes of the standards. Another one is counted as `other`: a label has few values. */
const COUNTED = [
  ...['invalid_request', 'invalid_client', 'invalid_grant', 'invalid_scope', 'invalid_target', 'unauthorized_client'],
  ...['unsupported_grant_type', 'authorization_pending', 'slow_down', 'access_denied', 'expired_token'],
  ...['invalid_client_metadata', 'invalid_redirect_uri', 'invalid_token', 'server_error', 'temporarily_unavailable'],
]

export interface AppRoutesParts {
  edge: Edge
  answerApp: AnswerApp
  mayRegister: boolean
  metrics: GatewayMetrics
}

/** @returns the routes, for the table of methods. */
export async function appRoutes(
  app: FastifyInstance,
  parts: AppRoutesParts,
): Promise<{ path: string; method: string }[]> {
  const routes = routesOf(parts.mayRegister)
  const ask = asking(parts)
  const { edge, metrics } = parts
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const refusal = error instanceof AppRefusal ? error : refused(edge, error, request)
      metrics.countApp(request.routeOptions.config.appRoute ?? 'other', counted(refusal.code))
      return answerRefusal(refusal, reply)
    })
    for (const route of routes) {
      const { name, method, path } = route
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const { observed } = request
        const watched = edge.deadline.start(reply, observed.startedAt)
        observed.watched = watched
        const answer = await ask(route, request, watched)
        metrics.countApp(name, counted(errorOf(answer) ?? 'ok'))
        return send(edge, answer, request, reply)
      }
      // The length of a compressed answer would tell of the secret in it.
      scope.route({ method, url: routerPath(path), compress: false, config: { appRoute: name }, handler })
      scope.options(routerPath(path), preflight(method))
    }
  })
  return routes.flatMap(({ path, method }) => [method, 'OPTIONS'].map((one) => ({ path, method: one })))
}

function routesOf(mayRegister: boolean): AppRoute[] {
  const posts = appEndpoints.map(
    (endpoint): AppRoute => ({ name: endpoint, endpoint, method: 'POST', path: `/oauth/${endpoint}` }),
  )
  return mayRegister ? [...posts, REGISTRATION] : posts.filter(({ endpoint }) => endpoint !== 'register')
}

declare module 'fastify' {
  interface FastifyContextConfig {
    appRoute?: AppRoute['name']
  }
}

/** Limits, reads, asks, and counts who guesses. */
function asking({ edge, answerApp }: AppRoutesParts) {
  const rates = new MemoryRateLimit()
  const failedAttempts = new FailedAttempts()
  const apart = new ConcurrencyLimit(APART)

  async function inLane(work: () => Promise<AppAnswer>): Promise<AppAnswer> {
    await apart.enter(LANE)
    try {
      return await work()
    } finally {
      apart.leave(LANE)
    }
  }

  return async (
    { name, endpoint, method }: AppRoute,
    request: FastifyRequest,
    watched: Watched,
  ): Promise<AppAnswer> => {
    const address = edge.authentication.addressOf(request)
    const most = MOST_A_MINUTE[name]
    if (most !== undefined) requireRate(rates, { name, address, most })
    const { authorization = null } = request.headers
    const form =
      method === 'GET'
        ? { ...(request.params as { client_id: string }) }
        : await edge.deadline.arrival(watched, readAppForm(endpoint, request.raw))
    const sent: AppRequest = { form, authorization, address }
    const context = { request_id: request.id, deadline: request.observed.startedAt + BACKEND_DEADLINE_MS }
    const charge = () => {
      const wait = failedAttempts.fail(address)
      if (wait !== null) throw tooMany('Too many refused requests come from this address.', wait)
    }
    const work = async () => {
      try {
        return await failedAttempts.during(address, () => answerApp(endpoint, sent, context))
      } catch (error) {
        if (namesDocument(sent)) charge()
        throw error
      }
    }
    const answer = await (failedAttempts.isExhausted(address) ? inLane(work) : work())
    if (isCharged(answer, sent)) charge()
    return answer
  }
}

/** The backend may have read it, or wait for it still. An app in Basic is not read here. */
function namesDocument({ form, authorization }: AppRequest): boolean {
  return form.client_assertion !== undefined || form.client_id?.includes('://') === true || isBasic(authorization)
}

/** A guess, or a refusal before which a signature was verified: that costs as much as ten look-ups. */
function isCharged(answer: AppAnswer, { form }: AppRequest): boolean {
  const error = errorOf(answer)
  if (error === undefined) return answer.is_guess === true
  return OF_GUESSING.includes(error) || (form.client_assertion !== undefined && !OF_WAITING.includes(error))
}

/** @throws AppRefusal 429 */
function requireRate(
  rates: MemoryRateLimit,
  { name, address, most }: { name: string; address: string; most: number },
): void {
  for (const { block, most: limit } of boundsOf(address, most)) {
    const { admitted, retryAfterSeconds } = rates.take(`${name} ${block}`, limit)
    if (!admitted)
      throw tooMany(`At most ${most} of these requests a minute may come from one address.`, retryAfterSeconds)
  }
}

function isBasic(authorization: string | null = null): boolean {
  return /^Basic\b/i.test(authorization ?? '')
}

function errorOf({ body }: AppAnswer): string | undefined {
  return body !== null && typeof body.error === 'string' ? body.error : undefined
}

function counted(code: string): string {
  return code === 'ok' || COUNTED.includes(code) ? code : 'other'
}

/** A fault that is not the app's is logged, as everywhere. */
function refused(edge: Edge, error: unknown, request: FastifyRequest): AppRefusal {
  const problem: Problem = problemOf(error)
  report(edge, problem, request.id)
  return refusalOf(problem)
}

function answerRefusal({ code, message, status, retryAfter }: AppRefusal, reply: FastifyReply): FastifyReply {
  return reply
    .code(status)
    .headers({ ...ANY_ORIGIN, 'cache-control': 'no-store', ...(retryAfter !== null && { 'retry-after': retryAfter }) })
    .send({ error: code, error_description: message })
}

function send(edge: Edge, answer: AppAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body } = answer
  if (errorOf(answer) === 'invalid_token') reply.header('www-authenticate', 'Bearer error="invalid_token"')
  else if (status === 401 && isBasic(request.headers.authorization))
    reply.header('www-authenticate', `Basic realm="${edge.baseUrl}"`)
  reply.code(status).headers({ ...ANY_ORIGIN, 'cache-control': 'no-store' })
  return body === null ? reply.send() : reply.send(body)
}
