// Stopping in good order: SIGTERM waits until load balancers have noticed, SIGINT does not; a second signal exits at once.
import type { Logger } from 'pino'
import type { Service } from './serve.ts'

/** Two rounds of a load balancer's usual health check. */
const DRAIN_MS = 2_000
/** Orchestrators kill after 30 s: what cannot finish by then is cut by us, and logged. */
const STOP_MS = 20_000

export function stopOnSignals(service: Service, log: Logger, { drainMs = DRAIN_MS } = {}): void {
  let stopping = false
  const stop = async (waitMs: number) => {
    if (stopping) process.exit(1)
    stopping = true
    service.drain()
    setTimeout(() => {
      log.error('the service did not stop in time')
      process.exit(1)
    }, waitMs + STOP_MS).unref()
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    try {
      await service.stop()
      process.exit(0)
    } catch (error) {
      log.error({ err: error }, 'the service did not stop in good order')
      process.exit(1)
    }
  }
  process.on('SIGTERM', () => void stop(drainMs))
  process.on('SIGINT', () => void stop(0))
}
