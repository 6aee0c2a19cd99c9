// Ends a listener so that a proxy in front of it loses no request. A proxy does not repeat a write that it has sent, also where the
// connection broke before anybody read it. That happens to a kept connection that is closed, and to a new one that the system has accepted
// but the program has not when the listener is closed. So connections are kept until then, and a proxy opens hardly any. Afterwards each is
// closed with an answer, and a new one is refused: nothing was sent over it, and the proxy asks another process (docs/decisions/0091).
import { once } from 'node:events'
import { Server as Listener } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a kept connection may wait for its last request. Short, because whoever stops a service waits for it. */
const LAST_MS = 300

/**
 * Register it before what closes idle connections.
 *
 * @param isDraining - whether the process was told in good time that it will stop.
 */
export function giveLastAnswers(app: FastifyInstance, isDraining: () => boolean, lastMs = LAST_MS): void {
  let isClosed = false
  // For answers that are under way. With those to later requests Fastify does it.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosed) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    if (!isDraining() || !app.server.listening) return
    isClosed = true
    const ended = new AbortController()
    const { signal } = ended
    const left = once(app.server, 'close', { signal })
    // Unlike that of an HTTP server it leaves the connections open.
    Listener.prototype.close.call(app.server)
    await Promise.race([left, delay(lastMs, undefined, { signal })]).finally(() => ended.abort())
  })
}
