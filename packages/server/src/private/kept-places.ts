// Gives each kind of request on the private listener places of its own, so that no kind takes all: gateways' calls and uploads may run
// for long, and what strangers send through the proxy (to the console, and as WhatsApp's reports) may never end.
import { Problem } from '@clinic-data/contract'
import { wideBlock } from '@clinic-data/contract/address-block'
import type { ClientAddress } from '@clinic-data/gateway/connections/client-address'
import type { FastifyInstance } from 'fastify'

/** Calls, uploads and reports leave so many: enough for the monitoring and some open pages of the console. */
const KEPT_PLACES = 50
/** A listener with few places leaves at most this part. */
const KEPT_PART = 0.2
/** All of them leave this part of the kept places to health checks and metrics. */
const WATCH_PART = 0.2
/** The most of each kind that strangers can send. Both together leave half of the listener to the gateways. */
const OPEN_PART = 0.25

/** One address (of IPv6, one client's block) takes at most this part of the places that strangers can take. */
const ADDRESS_PART = 0.5

/** The pattern is for routes, not for paths as they were sent: `/%63onsole` leads to the console too. */
const WATCHING = /^\/(?:healthz|readyz|metrics)$/
const CONSOLE = /^\/console(?:\/|$)/
const REPORTS = /^\/ingest\/whatsapp$/

type Kind = 'console' | 'reports' | 'work'

/** @param maxConnections the listener's places. A connection has one running request at most. */
export function keepPlaces(app: FastifyInstance, clientAddress: ClientAddress, maxConnections: number): void {
  const kept = Math.min(KEPT_PLACES, Math.floor(maxConnections * KEPT_PART))
  const open = Math.ceil(maxConnections * OPEN_PART)
  const mostOfAddress = Math.ceil(open * ADDRESS_PART)
  const running: Record<Kind, number> = { console: 0, reports: 0, work: 0 }
  /** By kind and address, of what strangers can send. */
  const sent = new Map<string, number>()
  const mayRun: Record<Kind, () => boolean> = {
    console: () => running.console < open,
    reports: () => running.reports < open && mayRun.work(),
    work: () => running.reports + running.work < maxConnections - kept,
  }
  const isFull = () =>
    running.console + running.reports + running.work >= maxConnections - Math.floor(kept * WATCH_PART)
  app.addHook('onRequest', ({ routeOptions: { url = '' }, raw: request }, { raw }, done) => {
    if (WATCHING.test(url)) return done()
    const kind = kindOf(url)
    const sender = `${kind} ${wideBlock(clientAddress.of(request))}`
    const ofSender = sent.get(sender) ?? 0
    const hasTooMany = kind !== 'work' && ofSender >= mostOfAddress
    if (isFull() || hasTooMany || !mayRun[kind]())
      return done(new Problem('service-unavailable', FULL, { retry_after: 1 }))
    running[kind]++
    sent.set(sender, ofSender + 1)
    raw.once('close', () => {
      running[kind]--
      const left = (sent.get(sender) ?? 0) - 1
      if (left > 0) sent.set(sender, left)
      else sent.delete(sender)
    })
    done()
  })
}

function kindOf(url: string): Kind {
  if (CONSOLE.test(url)) return 'console'
  return REPORTS.test(url) ? 'reports' : 'work'
}

const FULL = 'Too many requests are running. Send fewer at once, or try again in a moment.'
