// A request that has waited for long is refused rather than served too late.
import assert from 'node:assert/strict'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify from 'fastify'
import { problemOf } from '../src/answers/problem-response.ts'
import { justArrived } from '../src/calls/edge.ts'
import { ClientAddress } from '../src/connections/client-address.ts'
import { inTurns } from '../src/connections/fair-turns.ts'
import { shedWhenLate } from '../src/limits/shedding.ts'

const SHED_AT_MS = 50
/** Longer than a turn, and shorter than what is refused. */
const WORK_MS = 30
/** No request is refused earlier after a start. */
const SETTLED_MS = 3_000

test('a request that has waited long for its address’s turn gets 503, and a health check is served all the same', async (t) => {
  let now = performance.now()
  t.mock.method(performance, 'now', () => now)
  const app = Fastify({ serverFactory: (handler) => createServer(inTurns(handler, new ClientAddress([]))) })
  app.decorateRequest('observed')
  app.addHook('onRequest', (request, _reply, done) => {
    request.observed = justArrived(request.raw)
    done()
  })
  shedWhenLate(app, SHED_AT_MS)
  app.setErrorHandler((error, _request, reply) => reply.code(problemOf(error).status).send())
  app.get('/work', (_request, reply) => {
    now += WORK_MS
    reply.send()
  })
  app.get('/healthz', { config: { isNeverShed: true } }, (_request, reply) => reply.send())
  await app.ready()
  t.after(() => app.close())
  now += SETTLED_MS + 1
  // All of them arrive in one turn of the loop.
  const responses = ['/work', '/work', '/work', '/work', '/work', '/healthz'].map((url) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url })
    const response = new ServerResponse(request)
    app.server.emit('request', request, response)
    return response
  })
  while (responses.some(({ writableEnded }) => !writableEnded)) await nextTurn()
  // The first has no wait. The others arrive when it is done, and wait for those before them: 0, 30, and 60 ms.
  assert.deepEqual(
    responses.map(({ statusCode }) => statusCode),
    [200, 200, 200, 503, 503, 200],
  )
})
