// A request that has waited for long is refused rather than served too late.
import assert from 'node:assert/strict'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
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
/** So long after a start no request is refused, and then until it is warm only one that has waited four times as long. */
const SETTLED_MS = 3_000
const WARM_MS = 15_000

/** Never goes back: the turns of the loop are the process's. */
let now = performance.now()

/** Sends nine requests and a health check in one turn of the loop. @returns their statuses. */
async function statusesAt(t: TestContext, sinceStartMs: number): Promise<number[]> {
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
  const answersTo = async (urls: readonly string[]) => {
    const responses = urls.map((url) => {
      const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url })
      const response = new ServerResponse(request)
      app.server.emit('request', request, response)
      return response
    })
    while (responses.some(({ writableEnded }) => !writableEnded)) await nextTurn()
    return responses.map(({ statusCode }) => statusCode)
  }
  // The first request of a process is handled in fewer steps than all others.
  await answersTo(['/healthz'])
  now += sinceStartMs + 1
  return answersTo([...Array.from({ length: 9 }, () => '/work'), '/healthz'])
}

const statuses = (served: number) => [...Array(served).fill(200), ...Array(9 - served).fill(503), 200]

// They wait for those before them: 0, 30, 60 ms and so on.
test('a request that has waited long for its address’s turn gets 503, and a health check is served all the same', async (t) => {
  assert.deepEqual(await statusesAt(t, WARM_MS), statuses(2))
})

test('a process that has just started bears four times as long a wait', async (t) => {
  assert.deepEqual(await statusesAt(t, SETTLED_MS), statuses(7))
})
