// Keeps places of the private listener for those who must see and stop what goes on: health checks, metrics and the console. Other
// requests (a gateway's calls, a clinic's uploads) may run for long, and all together never hold every place.
import { Problem } from '@clinic-data/contract'
import type { FastifyInstance } from 'fastify'

/** Enough for the monitoring and some open pages of the console. */
const KEPT_PLACES = 50
/** Of a listener with few places, at most this part is kept. */
const KEPT_PART = 0.2

const KEPT_PATHS = /^\/(?:healthz|metrics|console)(?:[/?]|$)/

/** @param maxConnections the listener's places. A connection has one running request at most. */
export function keepPlaces(app: FastifyInstance, maxConnections: number): void {
  const most = maxConnections - Math.min(KEPT_PLACES, Math.floor(maxConnections * KEPT_PART))
  let running = 0
  app.addHook('onRequest', ({ url }, { raw }, done) => {
    if (KEPT_PATHS.test(url)) return done()
    if (running >= most) return done(new Problem('service-unavailable', FULL, { retry_after: 1 }))
    running++
    raw.once('close', () => running--)
    done()
  })
}

const FULL = 'Too many requests are running. Send fewer at once, or try again in a moment.'
