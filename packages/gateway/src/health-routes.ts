// `/healthz` (the process answers) and `/readyz` (it can serve: the backend answers, and it is not draining).
import { type Backend, Problem } from '@clinic-data/contract'
import type { FastifyInstance } from 'fastify'

export interface Health {
  /** Set when the process is about to stop. */
  draining: boolean
}

export function healthRoutes(
  app: FastifyInstance,
  backend: Backend,
  health: Health,
): { path: string; method: string }[] {
  // Never shed: a supervisor would restart the process for being busy.
  app.get('/healthz', { config: { isNeverShed: true } }, () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    if (health.draining) throw new Problem('service-unavailable', 'This instance is stopping.', { retry_after: 1 })
    try {
      await backend.ready()
    } catch (error) {
      throw new Problem('service-unavailable', 'The backend does not answer.', { retry_after: 1 }, error)
    }
    return { status: 'ready' }
  })
  return [
    { path: '/healthz', method: 'GET' },
    { path: '/readyz', method: 'GET' },
  ]
}
