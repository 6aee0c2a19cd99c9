// Stops a service in good order: it waits until load balancers have noticed, but for SIGINT.
import type { Logger } from 'pino'
import type { Service } from './serve.ts'

/** Two rounds of a load balancer's usual health check. */
const DRAIN_MS = 2_000
/** Orchestrators kill after 30 s. Before that we end what is not finished, and log it. */
const STOP_MS = 20_000

/** Stops a service that has started, and ends the process. */
export function stopOnSignal(service: Service, log: Logger, signal: AbortSignal): void {
  const stop = async () => {
    const stoppingAt = performance.now()
    const isAnnounced = signal.reason !== 'SIGINT'
    const waitMs = isAnnounced ? DRAIN_MS : 0
    if (isAnnounced) service.drain()
    setTimeout(() => {
      log.error('the service did not stop in time')
      process.exit(1)
    }, waitMs + STOP_MS).unref()
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    try {
      await service.stop()
      log.info({ signal: signal.reason, ms: Math.round(performance.now() - stoppingAt) }, 'stopped')
      process.exit(0)
    } catch (error) {
      log.error({ err: error }, 'the service stopped with an error')
      process.exit(1)
    }
  }
  if (signal.aborted) void stop()
  else signal.addEventListener('abort', () => void stop(), { once: true })
}
