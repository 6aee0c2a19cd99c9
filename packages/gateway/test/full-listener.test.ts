// A full listener lets a newcomer in, and breaks off nobody's request for it. One that closes waits for requests alone.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { ClientAddress } from '../src/connections/client-address.ts'
import { makeRoom } from '../src/connections/full-listener.ts'

const MOST = 3

/** Both ends. */
interface Connection {
  readonly client: Socket
  readonly socket: Socket
}

/** A listener whose requests are answered by the test. */
async function ground(t: TestContext, { refused = () => false }: { refused?: () => boolean } = {}) {
  const held: ServerResponse[] = []
  let wake: () => void = () => undefined
  const app = Fastify({ return503OnClosing: false })
  app.get('/', (_request, reply) => {
    held.push(reply.raw)
    wake()
    return reply.hijack()
  })
  const { server } = app
  server.on('connection', (socket) => {
    if (refused()) socket.destroy()
  })
  makeRoom(app, new ClientAddress([]), MOST)
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => {
    server.closeAllConnections()
    return app.close()
  })
  const connected = async (localAddress = '127.0.0.1'): Promise<Connection> => {
    const accepted = once(server, 'connection')
    const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress })
    client.on('error', () => undefined).resume()
    const [[socket]] = await Promise.all([accepted, once(client, 'connect')])
    return { client, socket }
  }
  /** Sends a request and returns its response, which the test has to end. */
  const send = async ({ client, socket }: Connection): Promise<ServerResponse> => {
    assert.equal(socket.destroyed, false, 'the connection was closed before')
    const before = held.length
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    while (held.length === before) await new Promise<void>((resolve) => (wake = resolve))
    return held.at(-1) as ServerResponse
  }
  const answered = async (connection: Connection) => {
    const response = await send(connection)
    response.end('ok')
    await once(response, 'close')
  }
  return { app, connected, send, answered }
}

/** Which of the connections the listener has closed. It does so before the next one is told. */
const closed = (connections: readonly Connection[]) => connections.map(({ socket }) => socket.destroyed)

test('of an address’s connections, the one that has been without a request longest makes room', async (t) => {
  const { connected, answered } = await ground(t)
  const connections = [await connected(), await connected(), await connected()]
  const [first, second] = connections as [Connection, Connection]
  await answered(second)
  await answered(first)
  connections.push(await connected())
  assert.deepEqual(closed(connections), [false, false, true, false])
  connections.push(await connected())
  assert.deepEqual(closed(connections), [false, true, true, false, false])
  for (const connection of connections) if (!connection.socket.destroyed) await answered(connection)
})

test('who has fewer idle connections than another address keeps them, however long they are idle', {
  skip: process.platform !== 'linux' && 'only Linux has more addresses of the loopback interface',
}, async (t) => {
  const { connected, answered } = await ground(t)
  const [lonely, idlest] = [await connected('127.0.0.2'), await connected()]
  const others = [await connected(), await connected('127.0.0.3')]
  assert.deepEqual(closed([lonely, idlest, ...others]), [false, true, false, false])
  for (const connection of [lonely, ...others]) await answered(connection)
})

test('a running request is never broken off: when every connection has one, the newcomer is closed', async (t) => {
  const { connected, send, answered } = await ground(t)
  const connections = [await connected(), await connected(), await connected()]
  const responses: ServerResponse[] = []
  for (const connection of connections) responses.push(await send(connection))
  const newcomer = await connected()
  assert.deepEqual(closed([...connections, newcomer]), [false, false, false, true])
  for (const response of responses) {
    response.end('ok')
    await once(response, 'close')
  }
  for (const connection of connections) await answered(connection)
})

test('a request that has not arrived whole holds no place', async (t) => {
  const { connected, answered } = await ground(t)
  const unfinished = await connected()
  const arrived = once(unfinished.socket, 'data')
  unfinished.client.write('GET / HTTP/1.1\r\nHost:')
  await arrived
  const others = [await connected(), await connected(), await connected()]
  assert.deepEqual(closed([unfinished, ...others]), [true, false, false, false])
  for (const connection of others) await answered(connection)
})

test('a connection that ends gives back its place', async (t) => {
  const { connected, answered } = await ground(t)
  const kept = [await connected(), await connected()]
  for (let n = 0; n < 2 * MOST; n++) {
    const one = await connected()
    await answered(one)
    const ended = new Promise((resolve) => one.socket.once('close', resolve))
    one.client.destroy()
    await ended
  }
  assert.deepEqual(closed(kept), [false, false])
})

test('a connection that another limit refuses takes nobody’s place', async (t) => {
  let isRefusing = false
  const { connected } = await ground(t, { refused: () => isRefusing })
  const connections = [await connected(), await connected(), await connected()]
  isRefusing = true
  for (let n = 0; n < MOST; n++) assert.deepEqual(closed([await connected()]), [true])
  assert.deepEqual(closed(connections), [false, false, false])
})

test('a listener that closes waits for a running request, and for no connection without one', async (t) => {
  const { app, connected, send, answered } = await ground(t)
  const [silent, halfSent, used] = [await connected(), await connected(), await connected()]
  const arrived = once(halfSent.socket, 'data')
  halfSent.client.write('GET / HTTP/1.1\r\nHost:')
  await arrived
  await answered(used)
  const response = await send(used)
  const ended = [silent, halfSent].map(({ client }) => once(client, 'close', { signal: AbortSignal.timeout(5_000) }))
  let isClosed = false
  const closing = app.close().then(() => {
    isClosed = true
  })
  await Promise.all(ended)
  assert.deepEqual([isClosed, used.socket.destroyed], [false, false])
  response.setHeader('connection', 'close')
  response.end('ok')
  await closing
})
