// Ends the connections of a process that is about to stop, each with an answer. A proxy keeps connections for later requests: one that it
// sent over a connection at the moment of its end would fail, and what may write is not sent again.
import type { FastifyInstance } from 'fastify'

/** The answer to a request that arrives while the process drains is the last one of its connection. What follows goes to another process. */
export function endConnections(app: FastifyInstance, isDraining: () => boolean): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (isDraining()) reply.header('connection', 'close')
    done()
  })
}
