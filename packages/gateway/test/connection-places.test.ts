// A connection that ends gives back every place of its line.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { inLine, MAX_WAITING, MAX_WAITING_IN_ALL } from '../src/connections/connection-line.ts'

/** A server that answers nothing and counts the requests that it has created. */
async function ground(t: TestContext) {
  let made = 0
  let wake: () => void = () => undefined
  const server = createServer(inLine(() => undefined)).listen(0, '127.0.0.1')
  server.on('request', () => {
    made++
    wake()
  })
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const connected = async (): Promise<Socket> => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.on('error', () => undefined)
    await once(client, 'connect')
    return client
  }
  const madeReaches = async (count: number) => {
    while (made < count) await new Promise<void>((resolve) => (wake = resolve))
  }
  return { connected, madeReaches, made: () => made }
}

test('a connection that ends gives back all places of its waiting requests', async (t) => {
  const { connected, made, madeReaches } = await ground(t)
  const ahead = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1 + MAX_WAITING)
  // Twice as many connections, one after the other, as could wait at once.
  for (let n = 0; n < (2 * MAX_WAITING_IN_ALL) / MAX_WAITING; n++) {
    const client = await connected()
    const before = made()
    client.resume().write(ahead)
    const cut = once(client, 'close').then(() => 'cut')
    assert.equal(await Promise.race([madeReaches(before + 1 + MAX_WAITING).then(() => 'waiting'), cut]), 'waiting')
    await new Promise((resolve) => setImmediate(resolve))
    assert.ok(!client.closed, 'no place was left')
    client.destroy()
    await cut
  }
})
