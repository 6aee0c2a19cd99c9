// What a server whose address a stranger names can make us read, over TLS.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { DocumentClient } from '../src/receiver/document-client.ts'

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'

/** A server with a valid certificate, behind which it sends others, and a client that trusts it. */
async function reading(t: TestContext, others: number, answer: (socket: TLSSocket) => void) {
  const { key, cert } = makeCertificate()
  const chain = Array.from({ length: others }, () => makeCertificate().cert)
  const server = createServer({ key, cert: [cert, ...chain].join('') }, (socket) => {
    socket.on('error', () => undefined).once('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const client = new DocumentClient({ allowCidrs: ['127.0.0.0/8'], ca: cert })
  return client.read(`https://127.0.0.1:${(server.address() as AddressInfo).port}/document`)
}

test('a document is read from a server that sends some certificates, and not where their check would take long', async (t) => {
  const answer = (socket: TLSSocket) => socket.end(ANSWER)
  assert.equal((await reading(t, 10, answer)).text, '{}')
  await assert.rejects(reading(t, 60, answer), { fault: 'tls' })
})

test('an answer ends a read at a few times the bytes of a document, whatever they are', async (t) => {
  for (const [head, piece] of [
    ['', 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', `1;${'a'.repeat(3_000)}\r\n{\r\n`],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'a'.repeat(3_000)],
  ] as const) {
    let sent = 0
    const floods = (socket: TLSSocket) => {
      socket.write(head)
      const send = () => {
        while (!socket.destroyed && socket.write(piece.repeat(20))) sent += 20 * piece.length
        socket.once('drain', send)
      }
      send()
    }
    await assert.rejects(reading(t, 0, floods), { fault: 'connection_lost' })
    assert.ok(sent < 16 * 1024 * 1024, `${sent} bytes`)
  }
})
