// The private listener: below the metrics, the ingest API and the backend's port lies the same limited server as below the public
// API, with a share of its own of the process's connections.
import { MAX } from '@clinic-data/contract'
import { limitAddresses } from '@clinic-data/gateway/connections/address-limit'
import { ClientAddress } from '@clinic-data/gateway/connections/client-address'
import { closeUnread, limitedServer } from '@clinic-data/gateway/connections/limited-server'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/** For ever: who reads a body here ends it when it comes too slowly, and a file may be large. */
const REQUEST_MS = 0
/** A batch waits for its turn and is stored meanwhile. */
const IDLE_MS = 60_000

export interface AdminListenerOptions {
  maxConnections: number
  trustedProxies: readonly string[]
  log: Logger
}

export function adminListener({ maxConnections, trustedProxies, log }: AdminListenerOptions): FastifyInstance {
  const app = Fastify({
    serverFactory: (handler) => limitedServer(handler, { maxConnections, requestMs: REQUEST_MS, idleMs: IDLE_MS }),
    logger: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX.url },
  })
  const clientAddress = new ClientAddress(trustedProxies)
  // Half of it, for one machine may be a whole gateway, and there must be room for another.
  limitAddresses(app, { clientAddress, most: Math.ceil(maxConnections / 2), log })
  // A door reads its body itself. What is sent to no door is refused unread.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onSend', closeUnread)
  return app
}
