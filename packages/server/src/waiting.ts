// A database that is away when `serve` starts: the service waits for it, says so once, and is not ready meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@clinic-data/contract'
import { PROBLEM_TYPE, problemBody, problemHeaders } from '@clinic-data/contract/problem-body'
import { DatabaseError, DatabaseUnavailable } from '@clinic-data/database'
import { AuthenticationRefused } from '@clinic-data/database/server-authentication'
import { newRequestId } from '@clinic-data/gateway/answers/request-id'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/** Often enough that nobody waits for us, seldom enough that a server which is starting does not mind. */
const ASK_AGAIN_MS = 500

export interface Waiting {
  log: Logger
  signal: AbortSignal | undefined
  baseUrl: string
  /** Each makes one of the service's listeners of what answers in its place. */
  listeners: readonly ((app: FastifyInstance) => Promise<unknown>)[]
}

/** What `open` brings, as soon as the database answers. @throws what no waiting mends, and the signal's reason */
export async function untilAnswering<T>(open: () => Promise<T>, { log, signal, ...place }: Waiting): Promise<T> {
  const apps: FastifyInstance[] = []
  // A database that has fallen silent is not waited for by one who is to end.
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
          log.warn({ err: error }, 'the database is away: waiting for it, not ready')
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

/** A server that answers, and refuses who we are or what we ask for, does so tomorrow too (SQLSTATE 28, 3D, 42). */
function isAway(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailable)) return false
  const { cause } = error
  if (cause instanceof AuthenticationRefused) return false
  return !(cause instanceof DatabaseError && /^(28|3D|42)/.test(cause.code ?? ''))
}

/** Alive, and of no use yet: `/healthz` answers, everything else is 503. */
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
