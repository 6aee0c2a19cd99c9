// Gives each kind of request on the private listener places of its own, so that no kind takes all: gateways' calls and uploads may run
// for long, and what strangers send through the proxy (to the console, and as WhatsApp's reports) may never end.
import { Problem } from '@clinic-data/contract'
import type { FastifyInstance } from 'fastify'

/** What calls, uploads and reports leave: enough for the monitoring and some open pages of the console. */
const KEPT_PLACES = 50
/** Of a listener with few places, at most this part is left. */
const KEPT_PART = 0.2
/** What all of them leave to health checks and metrics: a part of the places that are kept. */
const WATCH_PART = 0.2
/** The most of each kind that strangers can send. Both together leave half of the listener to the gateways. */
const OPEN_PART = 0.25

const WATCHING = /^\/(?:healthz|metrics)(?:[/?]|$)/
const CONSOLE = /^\/console(?:[/?]|$)/
const REPORTS = /^\/ingest\/whatsapp(?:[/?]|$)/

type Kind = 'console' | 'reports' | 'work'

/** @param maxConnections the listener's places. A connection has one running request at most. */
export function keepPlaces(app: FastifyInstance, maxConnections: number): void {
  const kept = Math.min(KEPT_PLACES, Math.floor(maxConnections * KEPT_PART))
  const open = Math.ceil(maxConnections * OPEN_PART)
  const running: Record<Kind, number> = { console: 0, reports: 0, work: 0 }
  const mayRun: Record<Kind, () => boolean> = {
    console: () => running.console < open,
    reports: () => running.reports < open && mayRun.work(),
    work: () => running.reports + running.work < maxConnections - kept,
  }
  const isFull = () =>
    running.console + running.reports + running.work >= maxConnections - Math.floor(kept * WATCH_PART)
  app.addHook('onRequest', ({ url }, { raw }, done) => {
    if (WATCHING.test(url)) return done()
    const kind = kindOf(url)
    if (isFull() || !mayRun[kind]()) return done(new Problem('service-unavailable', FULL, { retry_after: 1 }))
    running[kind]++
    raw.once('close', () => running[kind]--)
    done()
  })
}

function kindOf(url: string): Kind {
  if (CONSOLE.test(url)) return 'console'
  return REPORTS.test(url) ? 'reports' : 'work'
}

const FULL = 'Too many requests are running. Send fewer at once, or try again in a moment.'
