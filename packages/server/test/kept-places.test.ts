// Whatever fills the private listener, health checks, metrics and the console find a place.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { until } from '@clinic-data/testing/until'
import type { FastifyReply } from 'fastify'
import pino from 'pino'
import { adminListener } from '../src/private/admin-listener.ts'

const PLACES = 20
/** A fifth is kept. */
const FOR_OTHERS = 16
/** A quarter each. */
const FOR_STRANGERS = 5
/** Half of them. */
const OF_ADDRESS = 3
const OPEN_PATHS = ['/console/api/sign-in', '/ingest/whatsapp']

function listener(t: TestContext, maxConnections: number) {
  // Through a trusted proxy, so that the share of one address is not what refuses.
  const trustedProxies = ['127.0.0.1']
  const log = pino({ level: 'silent' })
  const app = adminListener({ maxConnections, trustedProxies, baseUrl: 'https://api.example.com', log })
  for (const path of ['/healthz', '/metrics', '/console', '/console/api/v1/me']) app.get(path, () => ({ status: 'ok' }))
  t.after(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  return app
}

test('what strangers send to the console and as reports leaves places for calls, health checks and metrics', async (t) => {
  const app = listener(t, PLACES)
  const held: FastifyReply[] = []
  for (const url of OPEN_PATHS) {
    app.post(url, ({ query }, reply) => {
      if (!Object.hasOwn(query as object, 'held')) return { status: 'ok' }
      held.push(reply)
      return reply.hijack()
    })
  }
  for (const path of ['/port/v1/call', '/ingest/v1/patients']) app.get(path, () => ({ status: 'ok' }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const sent = (method: string, path: string, address: string) =>
    request({ port, host: '127.0.0.1', agent: false, method, path, headers: { 'x-forwarded-for': address } })
  /** A client chooses the last 80 bits of its address. */
  const addressOf = (client: number, n: number) => `2001:db8:${client}:${n + 1}::1`
  const statusOf = async (request: ClientRequest): Promise<number> => {
    const [response] = (await once(request.end(), 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  }
  for (const [nth, path] of OPEN_PATHS.entries()) {
    const hold = async (count: number, from: (n: number) => string) => {
      const before = held.length
      const statuses = Array.from({ length: count }, (_, n) => statusOf(sent('POST', `${path}?held`, from(n))))
      t.after(() => Promise.all(statuses))
      await until(
        async () => held.length === before + count,
        () => `${held.length} are held`,
      )
    }
    const client = 100 * nth
    await hold(OF_ADDRESS, (n) => addressOf(client, n))
    const another = sent('POST', path, addressOf(client, OF_ADDRESS))
    assert.equal(await statusOf(another), 503, `${path} has no more places for this client`)
    await hold(FOR_STRANGERS - OF_ADDRESS, (n) => addressOf(client + n + 1, 0))
    for (const spelt of [path, path.replace('o', '%6f'), path.replace('a', '%61')])
      assert.equal(await statusOf(sent('POST', spelt, addressOf(client + 50, 0))), 503, `${path} has no more places`)
  }
  for (const path of ['/port/v1/call', '/ingest/v1/patients', '/healthz', '/metrics'])
    assert.equal(await statusOf(sent('GET', path, '203.0.113.7')), 200, path)
  for (const reply of held) reply.raw.end('ok')
})

test('long requests leave places for health checks, metrics and the console, and are refused with 503 beyond theirs', async (t) => {
  const app = listener(t, PLACES)
  const held: FastifyReply[] = []
  let wake: () => void = () => undefined
  app.get('/ingest/v1/slow', (_request, reply) => {
    if (held.length === FOR_OTHERS) return { status: 'ok' }
    held.push(reply)
    wake()
    return reply.hijack()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const { port } = app.server.address() as AddressInfo
  let count = 0
  const statusOf = async (path: string): Promise<number> => {
    const headers = { 'x-forwarded-for': `203.0.113.${++count % 250}` }
    const [response] = (await once(get({ port, host: '127.0.0.1', agent, path, headers }), 'response')) as [
      IncomingMessage,
    ]
    response.resume()
    await once(response, 'end')
    return response.statusCode ?? 0
  }
  const running = Array.from({ length: FOR_OTHERS }, () => statusOf('/ingest/v1/slow'))
  while (held.length < FOR_OTHERS) await new Promise<void>((resolve) => (wake = resolve))
  // The idle connections of others make room for each other, and never keep the places.
  for (let n = 0; n < 2 * PLACES; n++) {
    assert.equal(await statusOf('/ingest/v1/slow'), 503)
    for (const path of ['/healthz', '/metrics', '/metrics?name=x', '/console', '/console/api/v1/me'])
      assert.equal(await statusOf(path), 200, path)
  }
  assert.equal(await statusOf('/healthzz'), 503, 'another path that begins alike has no kept place')
  const refused = await app.inject({ url: '/ingest/v1/slow' })
  assert.deepEqual([refused.json().code, refused.headers['retry-after']], ['service-unavailable', '1'])
  for (const reply of held) reply.raw.end('ok')
  assert.deepEqual(await Promise.all(running), Array(FOR_OTHERS).fill(200))
  assert.equal(await statusOf('/ingest/v1/slow'), 200)
})

test('all that runs together leaves a place for health checks and metrics, from 25 places on', async (t) => {
  const app = listener(t, 25)
  const held: FastifyReply[] = []
  for (const path of ['/port/v1/call', '/console/api/sign-in'])
    app.post(path, (_, reply) => {
      if (held.length === 24) return { status: 'ok' }
      held.push(reply)
      return reply.hijack()
    })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const ask = async (method: string, path: string, client: number): Promise<number | undefined> => {
    const headers = { 'x-forwarded-for': `2001:db8:${client}::1` }
    const sent = request({ port, host: '127.0.0.1', agent: false, method, path, headers }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  const calls = Array.from({ length: 20 }, (_, client) => ask('POST', '/port/v1/call', client))
  const signIns = Array.from({ length: 4 }, (_, client) => ask('POST', '/console/api/sign-in', client))
  await until(
    async () => held.length === 24,
    () => `${held.length} are held`,
  )
  t.after(() => Promise.allSettled([...calls, ...signIns]))
  assert.equal(await ask('POST', '/console/api/sign-in', 5), 503, 'the console has places left, the listener has not')
  for (const path of ['/healthz', '/metrics']) assert.equal(await ask('GET', path, 6), 200, path)
  for (const reply of held) reply.raw.end('ok')
  await Promise.all([...calls, ...signIns])
})

test('a full private listener takes a newcomer in for the idlest connection', async (t) => {
  const app = listener(t, 2)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const accepted = async (): Promise<Socket> => {
    const accepting = once(app.server, 'connection')
    const client = connect(port, '127.0.0.1')
    t.after(() => client.destroy())
    return (await accepting)[0]
  }
  const sockets = [await accepted(), await accepted(), await accepted()]
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    [true, false, false],
  )
})
