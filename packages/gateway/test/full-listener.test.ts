// A full listener lets a newcomer in, and breaks off nobody's request for it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { ClientAddress } from '../src/connections/client-address.ts'
import { makeRoom } from '../src/connections/full-listener.ts'

const MOST = 3

/** A listener whose requests are answered by the test. */
async function ground(t: TestContext, { refused = () => false }: { refused?: () => boolean } = {}) {
  const held: ServerResponse[] = []
  let wake: () => void = () => undefined
  const server = createServer((_request, response) => {
    held.push(response)
    wake()
  })
  server.on('connection', (socket) => {
    if (refused()) socket.destroy()
  })
  makeRoom(server, new ClientAddress([]), MOST)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const connected = async (localAddress = '127.0.0.1'): Promise<Socket> => {
    const accepted = once(server, 'connection')
    const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress })
    client.on('error', () => undefined).resume()
    await Promise.all([once(client, 'connect'), accepted])
    return client
  }
  /** Sends a request and returns its response, which the test has to end. */
  const asked = async (client: Socket): Promise<ServerResponse> => {
    assert.ok(isOpen(client), 'the connection was closed before')
    const before = held.length
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const closed = once(client, 'close').then(() => assert.fail('the connection was closed'))
    while (held.length === before) await Promise.race([new Promise<void>((resolve) => (wake = resolve)), closed])
    return held.at(-1) as ServerResponse
  }
  const answered = async (client: Socket) => {
    const response = await asked(client)
    response.end('ok')
    await once(response, 'close')
    return response
  }
  return { connected, asked, answered }
}

const isOpen = (client: Socket) => !client.closed && !client.readableEnded

test('of an address’s connections, the one that has been without a request longest makes room', async (t) => {
  const { connected, answered } = await ground(t)
  const [first, second, third] = [await connected(), await connected(), await connected()]
  await answered(second)
  await answered(first)
  const ended = once(third, 'close')
  const fourth = await connected()
  await ended
  const secondEnded = once(second, 'close')
  const fifth = await connected()
  await secondEnded
  for (const client of [first, fourth, fifth]) await answered(client)
})

test('who has fewer idle connections than another address keeps them, however long they are idle', {
  skip: process.platform !== 'linux' && 'only Linux has more addresses of the loopback interface',
}, async (t) => {
  const { connected, answered } = await ground(t)
  const lonely = await connected('127.0.0.2')
  const idlest = await connected()
  await connected()
  const ended = once(idlest, 'close')
  const newcomer = await connected('127.0.0.3')
  await ended
  for (const client of [lonely, newcomer]) await answered(client)
})

test('a running request is never broken off: when every connection has one, the newcomer is closed', async (t) => {
  const { connected, asked, answered } = await ground(t)
  const clients = [await connected(), await connected(), await connected()]
  const responses: ServerResponse[] = []
  for (const client of clients) responses.push(await asked(client))
  const newcomer = await connected()
  if (isOpen(newcomer)) await once(newcomer, 'close')
  assert.deepEqual(clients.map(isOpen), [true, true, true])
  for (const response of responses) response.end('ok')
  for (const client of clients) await answered(client)
})

test('a request that has not arrived whole holds no place', async (t) => {
  const { connected, answered } = await ground(t)
  const unfinished = await connected()
  unfinished.write('GET / HTTP/1.1\r\nHost:')
  const others = [await connected(), await connected()]
  const ended = once(unfinished, 'close')
  others.push(await connected())
  await ended
  for (const client of others) await answered(client)
})

test('a connection that ends gives back its place', async (t) => {
  const { connected, answered } = await ground(t)
  const kept = [await connected(), await connected()]
  for (let n = 0; n < 2 * MOST; n++) {
    const client = await connected()
    const { socket } = (await answered(client)).req
    client.destroy()
    await new Promise((resolve) => socket.once('close', resolve))
  }
  for (const client of kept) await answered(client)
})

test('a connection that another limit refuses takes nobody’s place', async (t) => {
  let isRefusing = false
  const { connected, answered } = await ground(t, { refused: () => isRefusing })
  const clients = [await connected(), await connected(), await connected()]
  isRefusing = true
  for (let n = 0; n < MOST; n++) {
    const refused = await connected()
    if (isOpen(refused)) await once(refused, 'close')
  }
  isRefusing = false
  for (const client of clients) await answered(client)
})
