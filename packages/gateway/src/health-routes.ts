// `/healthz` (the process answers) and `/readyz` (it can serve: its backend answers and can write, requests are recorded, and it is not draining).
import { type Backend, Problem } from '@clinic-data/contract'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Machines ask every second or so: an answer is no news for the log, and no request to trace. */
    isProbe?: boolean
  }
}

export interface Health {
  /** The process is about to stop. */
  isDraining(): boolean
  /** Requests were refused a moment ago because their audit rows could not be stored. */
  isUnrecorded?(): boolean
}

export function healthRoutes(
  app: FastifyInstance,
  backend: Pick<Backend, 'ready'>,
  health: Health,
): { path: string; method: string }[] {
  // Never shed: a supervisor would restart the process for being busy.
  app.get('/healthz', { config: { isNeverShed: true, isProbe: true } }, () => ({ status: 'ok' }))
  app.get('/readyz', { config: { isProbe: true } }, async () => {
    if (health.isDraining()) throw notReady('This instance is stopping.')
    if (health.isUnrecorded?.()) throw notReady('Requests cannot be recorded.')
    await backend.ready().catch((error) => {
      throw notReady('The backend does not answer.', error)
    })
    return { status: 'ready' }
  })
  return [
    { path: '/healthz', method: 'GET' },
    { path: '/readyz', method: 'GET' },
  ]
}

function notReady(detail: string, cause?: unknown): Problem {
  return new Problem('service-unavailable', detail, { retry_after: 1 }, cause)
}
