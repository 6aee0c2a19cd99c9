// One call of the port under test: what comes whole is returned, and for anything else there is no answer, with its reason.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { NoAnswer, PortCaller } from '../src/port-caller.ts'

/** Calls a backend that answers like this. */
async function calling<T>(answer: RequestListener, use: (port: PortCaller) => Promise<T>): Promise<T> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    return await use(new PortCaller(`http://127.0.0.1:${port}/`, 'the token'))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const noAnswer = (message: RegExp) => (error: unknown) => error instanceof NoAnswer && message.test(error.message)

test('a call carries its body, the token and a deadline, and follows no redirect', async () => {
  const bodies: unknown[] = []
  const reply = await calling(
    (request, response) => {
      const { method, url, headers } = request
      const { authorization, 'content-type': type, 'content-length': length } = headers
      bodies.push([method, url, authorization, type, length, headers['x-deadline-ms']])
      response.writeHead(302, { location: '/elsewhere' }).end('gone')
    },
    (port) => port.call('/v1/some', { text: '{"é":1}', deadlineMs: 70 }),
  )
  assert.deepEqual(bodies, [['POST', '/v1/some', 'Bearer the token', 'application/json', '8', '70']])
  assert.deepEqual([reply.status, reply.headers.location, reply.bytes.toString()], [302, '/elsewhere', 'gone'])
})

test('an answer of too many bytes is none', async () => {
  const answer: RequestListener = (_, response) => response.end('x'.repeat(11))
  await calling(answer, async (port) => {
    assert.equal((await port.call('/', { mostBytes: 11 })).bytes.length, 11)
    await assert.rejects(port.call('/', { mostBytes: 10 }), noAnswer(/^an answer of more than 10 bytes$/))
  })
})

test('an answer that breaks off is none, and the next call is made', async () => {
  let isBroken = true
  const answer: RequestListener = (_, response) => {
    if (!isBroken) return response.end('whole')
    return response.writeHead(200, { 'content-length': 100 }).write('begun', () => response.destroy())
  }
  await calling(answer, async (port) => {
    await assert.rejects(port.call('/'), noAnswer(/^the connection failed \(ECONNRESET\)$/))
    isBroken = false
    assert.equal((await port.call('/')).bytes.toString(), 'whole')
  })
})

test('an address of https is called over TLS, and only with a certificate that this machine trusts', async (t) => {
  const bodies: unknown[] = []
  const server = createSecureServer(makeCertificate(), ({ url }) => bodies.push(url)).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const caller = new PortCaller(`https://127.0.0.1:${port}`, 'the token')
  await assert.rejects(caller.call('/'), noAnswer(/^the connection failed \(\w*SELF_SIGNED_CERT\w*\)$/))
  assert.deepEqual(bodies, [])
})
