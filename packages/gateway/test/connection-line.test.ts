// Requests sent ahead on one connection: one runs, all are answered in order, and none can fill the memory.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { inLine, MAX_WAITING, MAX_WAITING_IN_ALL } from '../src/connections/connection-line.ts'

interface Ground {
  connected(): Promise<Socket>
  /** Running requests without an answer. */
  held: ServerResponse[]
  started: string[]
  /** The requests that Node has created, whether they ran or not. */
  made(): number
  /** Resolves when this many requests have been started in all. */
  startedReaches(count: number): Promise<void>
  madeReaches(count: number): Promise<void>
}

/** A server that holds every answer. */
async function ground(t: TestContext): Promise<Ground> {
  const held: ServerResponse[] = []
  const started: string[] = []
  const clients: Socket[] = []
  const waking = new Set<() => void>()
  let made = 0
  const wake = () => {
    for (const one of waking) one()
    waking.clear()
  }
  const until = async (isThere: () => boolean) => {
    while (!isThere()) await new Promise<void>((resolve) => waking.add(resolve))
  }
  const server = createServer(
    inLine((request, response) => {
      held.push(response)
      started.push(request.url ?? '')
      wake()
    }),
  ).listen(0, '127.0.0.1')
  server.on('request', () => {
    made++
    wake()
  })
  await once(server, 'listening')
  t.after(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  return {
    held,
    started,
    connected: async () => {
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
      clients.push(client)
      client.on('error', () => undefined)
      await once(client, 'connect')
      return client
    },
    made: () => made,
    startedReaches: (count) => until(() => started.length >= count),
    madeReaches: (count) => until(() => made >= count),
  }
}

function requests(count: number): string {
  return Array.from({ length: count }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')
}

test('of the requests that a connection sends ahead one runs at a time, and all are answered in order', async (t) => {
  const { connected, held, started, startedReaches } = await ground(t)
  const client = await connected()
  const count = 1 + MAX_WAITING
  let text = ''
  client.on('data', (chunk) => (text += chunk))
  client.write(requests(count))
  for (let answered = 0; answered < count; answered++) {
    await startedReaches(answered + 1)
    assert.equal(held.length, 1)
    held.shift()?.end(`${answered};`)
  }
  while (!text.includes(`${count - 1};`)) await once(client, 'data')
  const paths = Array.from({ length: count }, (_, i) => `/${i}`)
  assert.deepEqual(started, paths)
  assert.deepEqual(
    [...text.matchAll(/(\d+);/g)].map(([, n]) => `/${n}`),
    paths,
  )
})

test('an answer that the client does not read holds back the requests behind it', async (t) => {
  const { connected, held, started, startedReaches } = await ground(t)
  const client = await connected()
  client.pause()
  client.write(requests(3))
  await startedReaches(1)
  // More than the buffers of two sockets hold.
  held[0]?.end(Buffer.alloc(64 * 1024 * 1024))
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(started.length, 1)
  client.resume()
  await startedReaches(2)
})

test('a connection with too many waiting requests is cut, none of that packet runs, and others are served', async (t) => {
  const { connected, held, made, started, startedReaches } = await ground(t)
  const greedy = await connected()
  greedy.resume()
  greedy.write(requests(1_000))
  await once(greedy, 'close')
  assert.equal(made(), 1 + MAX_WAITING + 1)
  assert.deepEqual(started, [])
  const other = await connected()
  other.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await startedReaches(1)
  held[0]?.end('answered')
  const [chunk] = await once(other, 'data')
  assert.match(String(chunk), /answered/)
})

test('the number of waiting requests in the process is limited, and a connection that ends makes room', async (t) => {
  const { connected, madeReaches } = await ground(t)
  const full = Math.floor(MAX_WAITING_IN_ALL / MAX_WAITING)
  const rest = MAX_WAITING_IN_ALL - full * MAX_WAITING
  const waiting: Socket[] = []
  let sent = 0
  const send = async (ahead: number) => {
    const client = await connected()
    client.write(requests(1 + ahead))
    sent += 1 + ahead
    await madeReaches(sent)
    return client
  }
  for (let i = 0; i < full; i++) waiting.push(await send(MAX_WAITING))
  waiting.push(await send(rest))
  const tooLate = await send(1)
  await once(tooLate, 'close')
  for (const client of waiting) client.destroy()
  const [first] = waiting
  assert.ok(first)
  if (!first.closed) await once(first, 'close')
  // The server learns of the closed connections one by one. The next request waits once it knows of one.
  for (let tries = 0; tries < 100; tries++) {
    const next = await send(1)
    const isCut = await Promise.race([
      once(next, 'close').then(() => true),
      new Promise<false>((resolve) => setImmediate(() => setImmediate(() => resolve(false)))),
    ])
    if (!isCut) return
  }
  assert.fail('no room was made')
})
