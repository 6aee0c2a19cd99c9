// Sheds load: refuses requests with 503 while the event loop is so late that none of them would meet its deadline, and a request that
// has waited as long for its address's turn.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Problem } from '@clinic-data/contract'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is served even while others are shed. */
    isNeverShed?: boolean
  }
}

/** An event loop this late cannot meet its deadlines. Shedding some requests saves the others. */
const SHED_AT_DELAY_MS = 500

/** The interval of measurements: each value covers the time since the one before. */
const SAMPLE_MS = 1_000

/** How often the event loop is looked at. This time is part of each measured delay. */
const RESOLUTION_MS = 10

/** The first values measure the start itself, so none is used before this time has passed. */
const SETTLED_MS = 3 * SAMPLE_MS

/** Until then code that has just been loaded runs slowly, and a proxy sends a process its share as soon as the port is open. */
const WARM_MS = 15_000

/** Meanwhile so many times the delay is borne: a late answer is better than none, and still within a request's deadline. */
const COLD_FACTOR = 4

/** @param delayMs the delay from which requests are refused; 0: never. */
export function shedWhenLate(app: FastifyInstance, delayMs = SHED_AT_DELAY_MS): void {
  if (delayMs === 0) return
  let readyAt = Number.POSITIVE_INFINITY
  let lateMs = 0
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const timer = setInterval(() => {
    // An event loop that was not seen even once was late all the time.
    lateMs = delay.count === 0 ? Number.POSITIVE_INFINITY : delay.mean / 1e6 - RESOLUTION_MS
    delay.reset()
  }, SAMPLE_MS).unref()
  app.addHook('onReady', async () => {
    readyAt = performance.now()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delay.disable()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const now = performance.now()
    if (now <= readyAt + SETTLED_MS || request.routeOptions.config.isNeverShed) return done()
    const mostMs = now <= readyAt + WARM_MS ? COLD_FACTOR * delayMs : delayMs
    done(lateMs > mostMs || now - request.observed.startedAt > mostMs ? overloaded() : undefined)
  })
}

function overloaded(): Problem {
  return new Problem('service-unavailable', 'The service is overloaded. Retry with exponential backoff.', {
    retry_after: 1,
  })
}
