// The public edge as a server: limits, security headers, routes from the contract, and a problem for every non-2xx answer.

import type { RequestListener } from 'node:http'
import { constants } from 'node:zlib'
import { allOperations, type Backend, FILE_LINK_SECONDS, type Operation, Problem, REQUEST } from '@clinic-data/contract'
import { AuditTrail } from '@clinic-data/contract/audit-trail'
import { jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { methodTable, routerPath } from '@clinic-data/contract/routes'
import { type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import compress from '@fastify/compress'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { challengeOf } from './answers/challenge.ts'
import { unknownPath } from './answers/problem-response.ts'
import { newRequestId } from './answers/request-id.ts'
import { standingHeaders } from './answers/standing-headers.ts'
import { Authentication } from './authentication/authentication.ts'
import { answerProblem, type Edge, justArrived } from './calls/edge.ts'
import { nameLastRows } from './calls/last-rows.ts'
import { pipeline } from './calls/pipeline.ts'
import { appRoutes } from './connect/app-routes.ts'
import { wellKnownRoutes } from './connect/well-known.ts'
import { limitAddresses } from './connections/address-limit.ts'
import { ClientAddress } from './connections/client-address.ts'
import { connectionShares } from './connections/connection-shares.ts'
import { makeRoom } from './connections/full-listener.ts'
import { giveLastAnswers } from './connections/last-answers.ts'
import { closeUnread, limitedServer } from './connections/limited-server.ts'
import { messageProblem } from './connections/message-rules.ts'
import { answerOutsideRouter, answerParserError } from './connections/parser-errors.ts'
import { filesRoute } from './files/files-route.ts'
import { healthRoutes } from './health-routes.ts'
import { ConcurrencyLimit } from './limits/concurrency-limit.ts'
import { DEADLINE_MS, Deadline } from './limits/deadline.ts'
import { FailedAttempts } from './limits/failed-attempts.ts'
import type { RateLimit } from './limits/rate-limit.ts'
import { shedWhenLate } from './limits/shedding.ts'
import { type McpOptions, mcpRoute } from './mcp/mcp-route.ts'
import { packageRoutes } from './packages/package-routes.ts'
import type { ServedPackages } from './packages/served-package.ts'
import { pageRoutes } from './reference/page-routes.ts'
import type { Log, RequestLine } from './telemetry/log.ts'
import { GatewayMetrics } from './telemetry/metrics.ts'
import { traceRequests } from './telemetry/spans.ts'

export interface GatewayOptions {
  backend: Backend
  /** Without a trailing slash, for example `https://api.example.com`. */
  baseUrl: string
  secretKeys: SecretKeys
  rateLimit: RateLimit
  /** Requests and seconds of the window, for keys without a limit of their own. */
  rate: { requests: number; seconds: number }
  /** CIDR blocks whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[]
  /** How long one of their connections may have no request. Default: longer than load balancers keep one. */
  proxyIdleMs?: number
  /** Simultaneous connections. Default: as many as this process can have. */
  maxConnections?: number
  /** How many of these one address may have. Default: half. */
  maxConnectionsPerAddress?: number
  /** Whether webhooks may use plain http to this machine itself, for development and tests. */
  allowsLoopbackHttp?: boolean
  /** Web origins that may use the MCP server, and the tools of a test harness. */
  mcp?: McpOptions
  /** Where apps can be connected to clinics: what they learn of it. Only with a backend that answers apps. */
  connect?: ConnectOptions | null
  /** These can be installed from `/packages`. */
  packages?: ServedPackages
  log: Log
  /** Aborted when the process that stops waits for the database no longer. */
  stopDeadline?: AbortSignal | undefined
  /** How long a request may take. Files are served for as long as their link is valid. */
  deadlineMs?: number
  /** How long a kept connection may wait for its last request when the gateway closes. */
  lastAnswersMs?: number
  /** Whether requests are traced, by the tracer of the process. */
  isTraced?: boolean
  /** Refuses requests while the event loop is this late. 0: never. */
  shedAtDelayMs?: number
  /** Epoch milliseconds. */
  now?: () => number
}

export interface ConnectOptions {
  /** Where browsers reach the console, without a slash at its end. */
  consoleUrl: string
  /** Whether apps may register themselves. */
  mayRegister: boolean
}

export interface Gateway {
  readonly app: FastifyInstance
  /** From now on `/readyz` answers 503, so that a load balancer sends nothing new. */
  drain(): void
  /** Finishes running requests, then stores the waiting audit rows. */
  close(): Promise<void>
}

/** Smaller answers do not gain from compression. */
const COMPRESS_FROM_BYTES = 1024
/** Brotli's default quality (11) is for files that are compressed once. */
const BROTLI_QUALITY = 4

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { backend, baseUrl, log, maxConnections = connectionShares(true).public } = options
  const metrics = new GatewayMetrics()
  const stopping = new AbortController()
  const clientAddress = new ClientAddress(options.trustedProxies)
  const { deadlineMs = DEADLINE_MS } = options
  const deadline = new Deadline(deadlineMs)
  const edge = edgeOf(options, { clientAddress, metrics, deadline, stopping: stopping.signal })
  nameLastRows(edge.auditTrail, log, options.stopDeadline)
  metrics.observeAuditTrail(() => edge.auditTrail.waitingRows)
  let isDraining = false
  let isClosing = false
  const open = opening(baseUrl)
  const close = closing(log, metrics, deadline)
  const app = Fastify({
    serverFactory: (handler: RequestListener) =>
      limitedServer(handler, { clientAddress, proxyIdleMs: options.proxyIdleMs }),
    bodyLimit: REQUEST.body_bytes,
    genReqId: newRequestId,
    logger: false,
    clientErrorHandler: (error: Error, socket) => answerParserError(baseUrl, error, socket),
    // The router's own refusals run no hooks.
    frameworkErrors: (error, request, reply) => {
      open(request, reply)
      reply.raw.once('finish', () => close(request, reply))
      return answerProblem(edge, error, request, reply)
    },
    // A request that arrives on an open connection during the stop is still answered. Then the connection is closed.
    return503OnClosing: false,
    // No path is longer than headers may be: the contract limits an id's length, after the key is checked.
    routerOptions: { maxParamLength: REQUEST.header_bytes, querystringParser: () => ({}) },
  })
  answerOutsideRouter(app.server, baseUrl)
  // The router takes no method to have a body: the pipeline reads bodies, after the key and the scope.
  for (const method of app.supportedMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.decorateRequest('observed')
  app.addHook('onRequest', (request, reply, done) => {
    open(request, reply)
    done(messageProblem(request.raw) ?? undefined)
  })
  if (options.isTraced) traceRequests(app, routeOf)
  limitAddresses(app, { clientAddress, most: options.maxConnectionsPerAddress ?? Math.ceil(maxConnections / 2), log })
  giveLastAnswers(app, () => isDraining, options.lastAnswersMs)
  makeRoom(app, clientAddress, maxConnections)
  app.addHook('onSend', closeUnread)
  app.addHook('onResponse', (request, reply, done) => {
    close(request, reply)
    done()
  })
  app.setErrorHandler((error, request, reply) => answerProblem(edge, error, request, reply))

  shedWhenLate(app, options.shedAtDelayMs)
  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  })
  const watched = new Set([...allOperations.map(({ path }) => routerPath(path)), '/mcp'])
  app.addHook('onRoute', (route) => {
    if (!watched.has(route.url) && route.config?.appRoute === undefined) route.handlerTimeout ??= deadlineMs
  })
  for (const operation of allOperations) {
    app.route({
      method: operation.method,
      url: routerPath(operation.path),
      handler: pipeline(edge, operation),
      ...(holdsSecret(operation) && { compress: false }),
    })
  }
  app.get('/files/*', { compress: false, handlerTimeout: FILE_LINK_SECONDS * 1000 }, filesRoute(edge))
  const { routes: pages, ...mcpPages } = pageRoutes(app, baseUrl, options.packages, options.mcp?.writes)
  app.all('/mcp', mcpRoute(edge, mcpPages, options.mcp ?? {}))
  const packages = options.packages ? packageRoutes(app, baseUrl, options.packages) : []
  const connecting = await connectRoutes(app, options, edge, metrics)
  const checks = healthRoutes(app, backend, {
    isDraining: () => isDraining || isClosing,
    isUnrecorded: () => edge.auditTrail.isFailing,
  })
  refuseUnknown(app, [
    ...allOperations,
    ...pages,
    ...packages,
    ...connecting,
    ...checks,
    { path: '/files/{link}', method: 'GET' },
    { path: '/mcp', method: 'POST' },
  ])

  return {
    app,
    drain: () => {
      isDraining = true
    },
    close: async () => {
      isClosing = true
      stopping.abort()
      await app.close()
      deadline.close()
      await edge.auditTrail.drain()
    },
  }
}

/** Everything that an app asks to be connected. Without it these paths do not exist. */
async function connectRoutes(app: FastifyInstance, options: GatewayOptions, edge: Edge, metrics: GatewayMetrics) {
  const { connect = null, baseUrl, backend } = options
  const { answerApp } = backend
  if (connect === null || answerApp === undefined) return []
  const documents = wellKnownRoutes(app, { baseUrl, ...connect })
  return [...documents, ...(await appRoutes(app, { edge, answerApp, metrics, mayRegister: connect.mayRegister }))]
}

/** The length of a compressed answer would reveal how much of the client's own text matches the secret beside it. */
function holdsSecret({ output }: Operation): boolean {
  const { data } = jsonSchemaOf(output).properties ?? {}
  return data?.properties?.secret !== undefined
}

function edgeOf(
  options: GatewayOptions,
  {
    clientAddress,
    metrics,
    ...parts
  }: { clientAddress: ClientAddress; metrics: GatewayMetrics } & Pick<Edge, 'deadline' | 'stopping'>,
): Edge {
  const { backend, baseUrl, secretKeys, rateLimit, rate, now = Date.now } = options
  return {
    baseUrl,
    backend,
    authentication: new Authentication({ backend, now, failedAttempts: new FailedAttempts(), clientAddress, metrics }),
    rateLimit,
    rate,
    concurrency: new ConcurrencyLimit(),
    auditTrail: new AuditTrail((rows) => backend.audit(rows)),
    challenge: options.connect && backend.answerApp ? challengeOf(baseUrl) : undefined,
    cursorKeys: signingKeys(secretKeys, 'cursor'),
    fileLinkKeys: signingKeys(secretKeys, 'file-link'),
    allowances: { allowsLoopbackHttp: options.allowsLoopbackHttp ?? false },
    log: options.log,
    ...parts,
    now,
  }
}

/** Adds the headers of every answer, and collects the facts for its log line. */
function opening(baseUrl: string) {
  const headers = standingHeaders(baseUrl)
  return (request: FastifyRequest, reply: FastifyReply): void => {
    request.observed = justArrived(request.raw)
    reply.headers(headers)
    reply.header('x-request-id', request.id)
  }
}

/** Writes one log line and one measurement per request. */
function closing(log: Log, metrics: GatewayMetrics, deadline: Deadline) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const { operation, principal, watched, startedAt } = request.observed
    if (watched) deadline.end(watched)
    const milliseconds = performance.now() - startedAt
    metrics.countRequest(operation?.id ?? 'none', reply.statusCode, milliseconds / 1000)
    const line: RequestLine = {
      request_id: request.id,
      method: request.method,
      route: routeOf(request),
      operation: operation?.id ?? null,
      status: reply.statusCode,
      duration_ms: Math.round(milliseconds * 10) / 10,
      clinic_id: principal?.clinic.clinic_id ?? null,
      key_id: principal?.key_id ?? null,
    }
    const isAnsweredProbe = request.routeOptions.config.isProbe && reply.statusCode < 400
    log[isAnsweredProbe ? 'debug' : 'info'](line, 'request')
  }
}

/** The path of the contract or of the router, never that of the request. */
function routeOf({ observed, routeOptions }: FastifyRequest): string {
  return observed.route ?? routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}') ?? 'none'
}

/** Answers 405 from the contract's paths before any key or body is read. Every other path is 404. */
function refuseUnknown(app: FastifyInstance, routes: readonly { path: string; method: string }[]): void {
  const methodsOf = methodTable(routes)
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const path = pathOf(request.raw.url ?? '')
    const methods = methodsOf(path)
    if (!methods || methods.includes(request.method)) return done(unknownPath(path))
    reply.header('allow', methods.join(', '))
    done(new Problem('method-not-allowed', `This path allows ${methods.join(', ')}.`))
  })
}

/** A proxy may send the whole address, `http://api.example.com/v1/me`. */
function pathOf(url: string): string {
  return url
    .replace(/^https?:\/\/[^/?#]*/i, '')
    .split(/[?#]/, 1)
    .join('')
}
