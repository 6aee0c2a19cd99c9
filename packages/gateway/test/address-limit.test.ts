// One address cannot use up a listener, neither with its own connections nor through a proxy, and its freed places can be used
// again.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import pino from 'pino'
import { problemOf } from '../src/answers/problem-response.ts'
import { limitAddresses } from '../src/connections/address-limit.ts'
import { ClientAddress } from '../src/connections/client-address.ts'

const MOST = 3

interface Ground {
  port: number
  lines: string[]
  /** Running requests without an answer. */
  held: ServerResponse[]
  connected(localAddress?: string): Promise<Socket>
  heldReaches(count: number): Promise<void>
}

async function ground(t: TestContext, trustedProxies: readonly string[] = []): Promise<Ground> {
  const lines: string[] = []
  const held: ServerResponse[] = []
  const clients: Socket[] = []
  let wake: () => void = () => undefined
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => reply.code(problemOf(error).status).send(problemOf(error).message))
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  limitAddresses(app, { clientAddress: new ClientAddress(trustedProxies), most: MOST, log })
  app.get('/', (_request, reply) => {
    reply.hijack()
    held.push(reply.raw)
    wake()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => {
    for (const client of clients) client.destroy()
    return app.close()
  })
  const { port } = app.server.address() as AddressInfo
  return {
    port,
    lines,
    held,
    connected: async (localAddress = '127.0.0.1') => {
      const client = connect({ port, host: '127.0.0.1', localAddress })
      clients.push(client)
      client.on('error', () => undefined)
      client.resume()
      await once(client, 'connect')
      return client
    },
    heldReaches: async (count) => {
      while (held.length < count) await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}

/** Whether a connection is served: its request arrives, and it is not closed. */
async function isServed(client: Socket, { held, heldReaches }: Ground): Promise<boolean> {
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const closed = once(client, 'close').then(() => false)
  const served = heldReaches(held.length + 1).then(() => true)
  return Promise.race([closed, served])
}

test('an address has a limited number of connections, another address is still served, and a closed connection makes room', async (t) => {
  const service = await ground(t)
  const kept: Socket[] = []
  for (let i = 0; i < MOST; i++) {
    const client = await service.connected()
    assert.equal(await isServed(client, service), true)
    kept.push(client)
  }
  for (let i = 0; i < 3; i++) assert.equal(await isServed(await service.connected(), service), false)
  assert.equal(service.lines.length, 1, 'the operator is told once, not for each')
  assert.match(service.lines[0] ?? '', /TRUSTED_PROXIES/)
  kept[0]?.destroy()
  await once(service.held[0] as ServerResponse, 'close')
  assert.equal(await isServed(await service.connected(), service), true)
  assert.equal(await isServed(await service.connected(), service), false)
})

test('another address is served when one has reached its limit', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const service = await ground(t)
  for (let i = 0; i < MOST; i++) assert.equal(await isServed(await service.connected(), service), true)
  assert.equal(await isServed(await service.connected('127.0.0.2'), service), true)
})

test('every connection of a trusted proxy is accepted, and running requests are counted by the address that it names', async (t) => {
  const { port, held, heldReaches } = await ground(t, ['127.0.0.1'])
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const ask = async (client: string): Promise<number> => {
    const request = get({ port, host: '127.0.0.1', agent, headers: { 'x-forwarded-for': client } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response.statusCode ?? 0
  }
  const waiting = Array.from({ length: MOST }, () => ask('203.0.113.9'))
  await heldReaches(MOST)
  assert.equal(await ask('203.0.113.9'), 503)
  const others = Array.from({ length: MOST }, (_, i) => ask(`203.0.113.${10 + i}`))
  await heldReaches(2 * MOST)
  // An IPv6 client controls a whole /64.
  const block = Array.from({ length: MOST }, (_, i) => ask(`2001:db8::${i + 1}`))
  await heldReaches(3 * MOST)
  assert.equal(await ask('2001:db8::ff'), 503)
  for (const response of held) response.end('ok')
  assert.deepEqual(await Promise.all([...waiting, ...others, ...block]), Array(3 * MOST).fill(200))
  const again = ask('203.0.113.9')
  await heldReaches(3 * MOST + 1)
  held.at(-1)?.end('ok')
  assert.equal(await again, 200)
})

test('a download that a client of a proxy breaks off gives back its place', async (t) => {
  const service = await ground(t, ['127.0.0.1'])
  const { held, heldReaches } = service
  for (let download = 0; download < 2 * MOST; download++) {
    const proxy = await service.connected()
    proxy.write('GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n')
    const begun = heldReaches(download + 1).then(() => 'begun')
    const refused = once(proxy, 'data').then(([bytes]) => String(bytes))
    assert.equal(await Promise.race([begun, refused]), 'begun')
    const response = held[download]
    assert.ok(response)
    response.writeHead(200, { 'content-length': 1_000 }).write('the first bytes')
    await once(proxy, 'data')
    const gone = once(response, 'close')
    proxy.destroy()
    await gone
  }
})
