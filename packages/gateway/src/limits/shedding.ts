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

/** @param delayMs the delay from which requests are refused; 0: never. */
export function shedWhenLate(app: FastifyInstance, delayMs = SHED_AT_DELAY_MS): void {
  if (delayMs === 0) return
  let settledAt = Number.POSITIVE_INFINITY
  let isLate = false
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const timer = setInterval(() => {
    // An event loop that was not seen even once was late all the time.
    isLate = delay.count === 0 || delay.mean / 1e6 - RESOLUTION_MS > delayMs
    delay.reset()
  }, SAMPLE_MS).unref()
  app.addHook('onReady', async () => {
    settledAt = performance.now() + SETTLED_MS
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delay.disable()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const now = performance.now()
    if (now <= settledAt || request.routeOptions.config.isNeverShed) return done()
    done(isLate || now - request.observed.startedAt > delayMs ? overloaded() : undefined)
  })
}

function overloaded(): Problem {
  return new Problem('service-unavailable', 'The service is overloaded. Retry with exponential backoff.', {
    retry_after: 1,
  })
}
