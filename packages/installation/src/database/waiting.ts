// Waits for a database that does not answer when `serve` starts. Logs it once; the service is not ready until then (docs/decisions/0024).
import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@clinic-data/contract'
import { PROBLEM_TYPE, problemBody, problemHeaders } from '@clinic-data/contract/problem-body'
import { newRequestId } from '@clinic-data/gateway/answers/request-id'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { isAway } from './away.ts'

/** Often enough to notice the database soon, rarely enough not to burden a server that is starting. */
const ASK_AGAIN_MS = 500

export interface Waiting {
  log: Logger
  signal: AbortSignal | undefined
  baseUrl: string
  /** Each opens one of the service's listeners for the app that answers until the database is there. */
  listeners: readonly ((app: FastifyInstance) => Promise<unknown>)[]
}

/** Opens the database as soon as it answers. @throws an error that waiting does not mend, or the signal's reason */
export async function untilAnswering<T>(open: () => Promise<T>, { log, signal, ...place }: Waiting): Promise<T> {
  const apps: FastifyInstance[] = []
  // A process that must end does not wait for a silent database.
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => undefined)
  const abort = () => aborted.reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  try {
    for (;;) {
      try {
        return await Promise.race([open(), aborted.promise])
      } catch (error) {
        signal?.throwIfAborted()
        if (!isAway(error)) throw error
        if (apps.length === 0) {
          log.warn({ err: error }, 'the database cannot be reached: waiting for it, not ready')
          for (const listen of place.listeners) {
            const app = notReady(place.baseUrl)
            apps.push(app)
            await listen(app)
          }
        }
      }
      await delay(ASK_AGAIN_MS, undefined, signal && { signal })
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    await Promise.all(apps.map((app) => app.close()))
  }
}

/** Answers `/healthz`, and 503 to everything else. */
function notReady(baseUrl: string): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true, return503OnClosing: false })
  app.addHook('onRequest', async (request, reply) => {
    if (request.url === '/healthz') return reply.send({ status: 'ok' })
    const problem = new Problem('service-unavailable', 'This instance is starting.', { retry_after: 1 })
    const body = problemBody(problem, baseUrl, newRequestId())
    return reply
      .code(503)
      .headers({ ...problemHeaders(problem), 'content-type': PROBLEM_TYPE })
      .send(body)
  })
  return app
}
