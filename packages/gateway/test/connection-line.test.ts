// Requests sent ahead on one connection: few run at once, all are answered in order, and none can fill the memory.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { inLine } from '../src/connection-line.ts'

const AT_ONCE = 16

interface Line {
  server: Server
  client: Socket
  /** What runs and has not been answered. */
  held: ServerResponse[]
  started: string[]
  /** Resolves when this many requests have been started in all. */
  startedReaches(count: number): Promise<void>
}

/** A server that holds every answer, and a client with a connection to it. */
async function open(): Promise<Line> {
  const held: ServerResponse[] = []
  const started: string[] = []
  let wake: () => void = () => undefined
  const server = createServer(
    inLine((request, response) => {
      held.push(response)
      started.push(request.url ?? '')
      wake()
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  await once(client, 'connect')
  return {
    server,
    client,
    held,
    started,
    startedReaches: async (count) => {
      while (started.length < count) await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}

function requests(count: number): string {
  return Array.from({ length: count }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')
}

test('of what one connection sends ahead a few run at once, and every one is answered in order', async () => {
  const { server, client, held, started, startedReaches } = await open()
  const count = 900
  let text = ''
  client.on('data', (chunk) => (text += chunk))
  client.write(requests(count))
  await startedReaches(AT_ONCE)
  for (let answered = 0; answered < count; answered++) {
    await startedReaches(answered + 1)
    assert.ok(held.length <= AT_ONCE, `${held.length} run at once`)
    held.shift()?.end(`${answered};`)
  }
  while (!text.includes(`${count - 1};`)) await once(client, 'data')
  const paths = Array.from({ length: count }, (_, i) => `/${i}`)
  assert.deepEqual(started, paths)
  assert.deepEqual(
    [...text.matchAll(/(\d+);/g)].map(([, n]) => `/${n}`),
    paths,
  )
  client.destroy()
  server.close()
})

test('while requests wait on a connection, no more is read from it', async () => {
  const { server, client, started, startedReaches } = await open()
  // Far more than the buffers of a socket hold: the client cannot get rid of it.
  const path = `GET /${'x'.repeat(8_000)} HTTP/1.1\r\nHost: a\r\n\r\n`
  client.write(path.repeat(5_000))
  await startedReaches(AT_ONCE)
  await new Promise((resolve) => setImmediate(resolve))
  assert.ok(client.writableLength > 0, 'the server has read all of it')
  assert.equal(started.length, AT_ONCE)
  client.destroy()
  server.close()
})

test('a connection with thousands of requests ahead is cut, and the others are not', async () => {
  const { server, client, held } = await open()
  client.write(requests(3_000))
  await new Promise((resolve) => client.once('close', resolve))
  assert.ok(held.length <= AT_ONCE)
  const other = connect((server.address() as AddressInfo).port, '127.0.0.1')
  other.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  held.length = 0
  await once(server, 'request')
  held[0]?.end('answered')
  const [chunk] = await once(other, 'data')
  assert.match(String(chunk), /answered/)
  other.destroy()
  server.close()
})
