// Stops in good order. SIGTERM waits until load balancers have noticed, SIGINT does not. A later signal exits at once.
import type { Logger } from 'pino'
import type { Service } from './serve.ts'

/** Two rounds of a load balancer's usual health check. */
const DRAIN_MS = 2_000
/** Orchestrators kill after 30 s. Before that we end what is not finished, and log it. */
const STOP_MS = 20_000
/** A terminal sends Ctrl-C to npm and to us, and npm sends it to us again: the two count as one. */
export const SAME_SIGNAL_MS = 1_000

/**
 * Aborts at the first signal to end; the reason is the signal's name. Call it before anything is started. A closed terminal
 * counts too. With `nohup` there is none.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  let abortedAt = 0
  const stop = (name: NodeJS.Signals) => {
    const now = performance.now()
    if (!controller.signal.aborted) {
      abortedAt = now
      controller.abort(name)
    } else if (name !== controller.signal.reason || now - abortedAt > SAME_SIGNAL_MS) process.exit(1)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (process.stdout.isTTY) process.on('SIGHUP', stop)
  return controller.signal
}

/** Stops a service that has started, and ends the process. */
export function stopOnSignal(service: Service, log: Logger, signal: AbortSignal): void {
  const stop = async () => {
    const stoppingAt = performance.now()
    const isAnnounced = signal.reason === 'SIGTERM'
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
