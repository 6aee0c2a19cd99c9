// The connection to WhatsApp: after any failure we know whether the message may have been read.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { cloudApiServer } from '@clinic-data/testing/receivers/cloud-api-server'
import type { SendOutcome } from '../src/messaging-platform.ts'
import { WhatsAppPlatform, type WhatsAppTimeouts } from '../src/whatsapp.ts'
import { accountOf, BRIEF_MS, message, never, PATIENT, setUp } from './whatsapp-set-up.ts'

test('a send on a kept connection that the platform closes is unknown and not repeated', async (t) => {
  const { api, send } = await setUp(t)
  assert.equal((await send()).outcome, 'accepted')
  api.next.push({ kind: 'reset' })
  assert.equal((await send()).outcome, 'unknown')
  assert.equal(api.connections, 1)
  assert.equal(api.requests, 2)
})

test('a send after one with an unknown outcome has its own connection', async (t) => {
  const { api, send } = await setUp(t)
  api.next.push({ kind: 'silence' })
  const abort = new AbortController()
  const sending = send(undefined, abort.signal)
  await api.read(1)
  abort.abort()
  assert.equal((await sending).outcome, 'unknown')
  assert.equal((await send()).outcome, 'accepted')
  assert.equal(api.connections, 2)
})

async function sendTo(t: TestContext, baseUrl: string, timeouts: Partial<WhatsAppTimeouts> = {}): Promise<SendOutcome> {
  const accessToken = () => randomBytes(8).toString('hex')
  const platform = new WhatsAppPlatform({ accessToken, baseUrl, timeouts: { ...PATIENT, ...timeouts } })
  t.after(() => platform.close())
  return platform.send({ clinic_id: 'north', account_id: '1', phone: null }, message(), never)
}

/** A server of plain TCP, without HTTP. */
async function rawServer(t: TestContext, onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('certainly not accepted: nothing listens on the port', async (t) => {
  const api = await cloudApiServer()
  await api.close()
  assert.deepEqual(await sendTo(t, api.origin), {
    outcome: 'retry',
    after_ms: null,
    reason: 'the connection failed (ECONNREFUSED)',
  })
})

test('certainly not accepted: the name does not resolve', async (t) => {
  const outcome = await sendTo(t, 'https://no-such-host.invalid')
  assert.equal(outcome.outcome, 'retry')
})

test('certainly not accepted: a server that never finishes the TLS handshake', async (t) => {
  const port = await rawServer(t, () => undefined)
  assert.deepEqual(await sendTo(t, `https://127.0.0.1:${port}`, { connectMs: BRIEF_MS }), {
    outcome: 'retry',
    after_ms: null,
    reason: `no connection within ${BRIEF_MS} ms`,
  })
})

test('certainly not accepted: the connection is reset, or speaks something else, during the TLS handshake', async (t) => {
  const resetting = await rawServer(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))
  assert.equal((await sendTo(t, `https://127.0.0.1:${resetting}`)).outcome, 'retry')
  const babbling = await rawServer(t, (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  assert.equal((await sendTo(t, `https://127.0.0.1:${babbling}`)).outcome, 'retry')
})

test('unknown: a server that accepts the connection and never answers', async (t) => {
  const port = await rawServer(t, () => undefined)
  assert.equal((await sendTo(t, `http://127.0.0.1:${port}`, { answerMs: BRIEF_MS })).outcome, 'unknown')
})

test('over TLS an untrusted certificate gets nothing, and a trusted one gets the message', async (t) => {
  const { key, cert } = makeCertificate()
  const api = await cloudApiServer({ key, cert })
  const platform = new WhatsAppPlatform({ accessToken: () => api.token, baseUrl: api.origin, timeouts: PATIENT })
  const before = tls.getCACertificates('default')
  t.after(async () => {
    tls.setDefaultCACertificates(before)
    await platform.close()
    await api.close()
  })
  const distrusted = await platform.send(accountOf(api), message(), never)
  assert.deepEqual([distrusted.outcome, api.requests], ['retry', 0])
  tls.setDefaultCACertificates([cert])
  assert.equal((await platform.send(accountOf(api), message(), never)).outcome, 'accepted')
  const connections = api.connections
  assert.equal((await platform.send(accountOf(api), message(), never)).outcome, 'accepted')
  assert.equal(api.connections, connections)
})

test('more sends at once than connections are allowed all arrive, each once', async (t) => {
  const { api, platform } = await setUp(t)
  const outcomes = await Promise.all(
    Array.from({ length: 250 }, (_, i) =>
      platform.send(accountOf(api), { ...message(), message_id: `out_${i}` }, never),
    ),
  )
  assert.deepEqual(new Set(outcomes.map(({ outcome }) => outcome)), new Set(['accepted']))
  assert.equal(new Set(api.sends.map((sent) => sent.biz_opaque_callback_data)).size, 250)
  assert.equal(api.sends.length, 250)
  assert.equal(api.connections, 100)
})

test('an aborted send is unknown once the request was written, and certainly not accepted before', async (t) => {
  const { api, send } = await setUp(t)
  api.next.push({ kind: 'silence' })
  const abort = new AbortController()
  const sending = send(undefined, abort.signal)
  await api.read(1)
  abort.abort()
  assert.equal((await sending).outcome, 'unknown')
  assert.equal((await send(undefined, abort.signal)).outcome, 'retry')
  assert.equal(api.requests, 1)
})

test('closing ends a send under way as unknown', async (t) => {
  const { api, platform, send } = await setUp(t)
  api.next.push({ kind: 'silence' })
  const sending = send()
  await api.read(1)
  await platform.close()
  assert.equal((await sending).outcome, 'unknown')
})
