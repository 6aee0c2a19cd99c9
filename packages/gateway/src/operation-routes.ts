// Serves operations of the contract on another listener than the public one, to callers who are known by something else than a key.
//
//   const routes = operationRoutes({ operations, identification, storeAudit, … })
//   await app.register(routes.plugin, { prefix: '/console/api' })   // GET /console/api/v1/webhooks
//
// A request goes the whole way of a public one: identity, rate limit, grant, input, handler, output, audit row.
import type { AuditRow, Backend, Operation } from '@clinic-data/contract'
import { AuditTrail } from '@clinic-data/contract/audit-trail'
import { routerPath } from '@clinic-data/contract/routes'
import { type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import type { FastifyPluginAsync } from 'fastify'
import { answerProblem, type Identification, justArrived } from './calls/edge.ts'
import { nameLastRows } from './calls/last-rows.ts'
import { pipeline } from './calls/pipeline.ts'
import { ConcurrencyLimit } from './limits/concurrency-limit.ts'
import { Deadline } from './limits/deadline.ts'
import { MemoryRateLimit } from './limits/rate-limit.ts'
import type { Allowances } from './requests/read-input.ts'
import type { Log } from './telemetry/log.ts'

export interface OperationRoutesOptions {
  /** No other operation is open. */
  operations: readonly Operation[]
  backend: Backend
  identification: Identification
  /** Resolves once the rows are stored. */
  storeAudit: (rows: readonly AuditRow[]) => Promise<void>
  /** Requests and seconds of the window, for each principal without a limit of its own. */
  rate: { requests: number; seconds: number }
  /** The public API's address without a slash at its end. */
  baseUrl: string
  secretKeys: SecretKeys
  allowances: Allowances
  log: Log
  /** Aborted when the process that stops waits for the database no longer. */
  stopDeadline?: AbortSignal | undefined
}

export interface OperationRoutes {
  readonly plugin: FastifyPluginAsync
  /** Ends waiting requests, then stores the waiting audit rows. */
  close(): Promise<void>
}

export function operationRoutes(options: OperationRoutesOptions): OperationRoutes {
  const { backend, baseUrl, identification, log, rate, secretKeys } = options
  const stopping = new AbortController()
  const deadline = new Deadline()
  const auditTrail = new AuditTrail(options.storeAudit)
  nameLastRows(auditTrail, log, options.stopDeadline)
  const edge = {
    backend,
    baseUrl,
    authentication: identification,
    log,
    rate,
    deadline,
    auditTrail,
    rateLimit: new MemoryRateLimit({ windowMs: rate.seconds * 1000 }),
    concurrency: new ConcurrencyLimit(),
    cursorKeys: signingKeys(secretKeys, 'cursor'),
    fileLinkKeys: signingKeys(secretKeys, 'file-link'),
    allowances: options.allowances,
    stopping: stopping.signal,
    now: Date.now,
  }
  const plugin: FastifyPluginAsync = async (app) => {
    app.decorateRequest('observed')
    app.addHook('onRequest', async (request, reply) => {
      request.observed = justArrived(request.raw)
      reply.headers({
        'x-request-id': request.id,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
    })
    app.addHook('onResponse', async ({ observed: { watched } }) => {
      if (watched !== null) deadline.end(watched)
    })
    app.setErrorHandler((error, request, reply) => answerProblem(edge, error, request, reply))
    for (const operation of options.operations) {
      app.route({ method: operation.method, url: routerPath(operation.path), handler: pipeline(edge, operation) })
    }
  }
  const close = async () => {
    stopping.abort()
    deadline.close()
    await auditTrail.drain()
  }
  return { plugin, close }
}
