// The private listener: the host names that it answers to, early refusals, and its limits.
import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { adminListener } from '../src/private/admin-listener.ts'
import { metricsRoute, startMetrics } from '../src/private/prometheus.ts'

const log = pino({ level: 'silent' })

function listener(t: TestContext): FastifyInstance {
  const app = adminListener({ maxConnections: 10, trustedProxies: [], baseUrl: 'https://api.example.com', log })
  t.after(() => app.close())
  return app
}

test('metrics are served under addresses, names without a dot and configured names, but not to a rebound web page', async (t) => {
  const app = listener(t)
  metricsRoute(app, startMetrics(), ['metrics.example.com'])
  const statusFor = async (host: string) => (await app.inject({ url: '/metrics', headers: { host } })).statusCode
  for (const host of [
    '127.0.0.1:8081',
    '10.1.2.3',
    '[::1]:8081',
    'localhost:8081',
    'clinicd:8081',
    'Metrics.Example.com',
  ])
    assert.equal(await statusFor(host), 200, host)
  for (const host of ['evil.example:8081', 'metrics.example.com.evil.example', 'clinicd.', 'a b'])
    assert.equal(await statusFor(host), 403, host)
})

test('a request that its headers rule out is answered before its body arrives, and its connection ends', async (t) => {
  const app = listener(t)
  app.post('/refused', (_request, reply) => reply.code(401).send())
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (const [path, status] of [
    ['/refused', 401],
    ['/nothing', 404],
  ] as const) {
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    // The rest of the body is never sent.
    const headers = 'Host: a\r\nContent-Type: application/json\r\nContent-Length: 3000000'
    client.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n{`)
    const answer = await text(client)
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(answer, /^connection: close\r$/im)
  }
})

test('a path that cannot be decoded is refused with a problem, as on the public listener', async (t) => {
  const { statusCode, headers, payload } = await listener(t).inject({ method: 'POST', url: '/ingest/v1/%zz' })
  assert.deepEqual([statusCode, headers['content-type']], [404, 'application/problem+json; charset=utf-8'])
  const { request_id, ...problem } = JSON.parse(payload)
  assert.equal(request_id, headers['x-request-id'])
  assert.deepEqual(problem, {
    type: 'https://api.example.com/problems/not-found',
    code: 'not-found',
    title: 'Not found',
    status: 404,
    detail: 'There is no such path.',
  })
})

test('an id of any length that headers may have reaches its route, which says that there is no such record', async (t) => {
  const app = listener(t)
  app.get('/records/:id', (_request, reply) => reply.code(404).send())
  const { statusCode } = await app.inject({ url: `/records/${'x'.repeat(15_000)}` })
  assert.equal(statusCode, 404)
})

test('the private listener limits time and headers', (t) => {
  const { server } = listener(t)
  assert.ok(server.headersTimeout <= 5_000)
  assert.ok(server.keepAliveTimeout <= 10_000)
  assert.ok(server.timeout <= 60_000)
})
