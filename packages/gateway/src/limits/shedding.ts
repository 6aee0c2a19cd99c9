// Sheds load: refuses requests with 503 while the event loop is so late that none of them would meet its deadline.
import { Problem } from '@clinic-data/contract'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'

/** An event loop this late cannot meet its deadlines. Shedding some requests saves the others. */
const SHED_AT_DELAY_MS = 500

/** The interval of measurements: each value covers the time since the one before. */
const SAMPLE_MS = 1_000

/** The first values measure the start itself, so none is used before this time has passed. */
const SETTLED_MS = 3 * SAMPLE_MS

/** @param delayMs the delay from which requests are refused; 0: never. */
export async function shedWhenLate(app: FastifyInstance, delayMs = SHED_AT_DELAY_MS): Promise<void> {
  let settledAt = Number.POSITIVE_INFINITY
  app.addHook('onReady', async () => {
    settledAt = performance.now() + SETTLED_MS
  })
  await app.register(underPressure, {
    maxEventLoopDelay: delayMs,
    sampleInterval: SAMPLE_MS,
    exposeStatusRoute: false,
    pressureHandler: async () => {
      if (performance.now() > settledAt) throw overloaded()
    },
  })
}

function overloaded(): Problem {
  return new Problem('service-unavailable', 'The service is overloaded. Retry with exponential backoff.', {
    retry_after: 1,
  })
}
