// The pace of a body: a slow sender is cut off, and one that keeps the pace is read to the end.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { problem } from '@clinic-data/testing/grounds/ask'
import { stoppedTime } from '@clinic-data/testing/stopped-time'
import { arriving } from '../src/arriving-bytes.ts'

const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})

/** A request as the server sees it, and its sender. */
async function received(send: (sending: ClientRequest) => void): Promise<[IncomingMessage, ClientRequest]> {
  const { port } = server.address() as AddressInfo
  const sending = request({ port, method: 'POST' })
  sending.on('error', () => undefined)
  send(sending)
  const [incoming] = (await once(server, 'request')) as [IncomingMessage]
  return [incoming, sending]
}

async function sizeOf(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const chunk of bytes) size += chunk.byteLength
  return size
}

test('a stalled sender is cut off, however much it has sent before', async () => {
  const [incoming, sending] = await received((sending) => sending.write(Buffer.alloc(300_000)))
  await assert.rejects(sizeOf(arriving(incoming, { bytes: 100_000, withinMs: 50 })), problem('request-timeout'))
  sending.destroy()
})

test('a sender of a small body is told what is true of it too', async () => {
  const [incoming, sending] = await received((sending) => sending.write('{'))
  const message =
    'The body stopped or came too slowly: send it whole within 10 seconds, or at least 160 KiB in any 10 seconds. Nothing was stored.'
  await assert.rejects(sizeOf(arriving(incoming, { bytes: 100_000, withinMs: 50 })), { message })
  sending.destroy()
})

test('a trickling sender is cut off, although bytes keep coming', async () => {
  let trickling: NodeJS.Timeout | undefined
  const [incoming, sending] = await received((sending) => {
    sending.write('x')
    trickling = setInterval(() => sending.write('x'), 5)
  })
  await assert.rejects(sizeOf(arriving(incoming, { bytes: 100_000, withinMs: 200 })), problem('request-timeout'))
  clearInterval(trickling)
  sending.destroy()
})

test('a sender that keeps the pace is read to the end, however long it takes', async (t) => {
  const time = stoppedTime(t, 'setTimeout')
  let passedMs = 0
  const [incoming, sending] = await received((sending) => sending.write(Buffer.alloc(50_000)))
  let size = 0
  for await (const { byteLength } of arriving(incoming, { bytes: 50_000, withinMs: 300 })) {
    size += byteLength
    const tookMs = byteLength / 500
    // While the next bytes are waited for.
    setImmediate(() => {
      passedMs += tookMs
      time.pass(tookMs)
      if (size > 500_000) sending.end()
      else sending.write(Buffer.alloc(byteLength))
    })
  }
  assert.ok(passedMs >= 1_000)
  assert.ok(incoming.complete)
})
