// Deliveries over https: nothing is sent before the receiver has shown a trusted certificate for its name.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type SecureVersion, TLSSocket } from 'node:tls'
import { type CertificateOptions, makeCertificate } from '@clinic-data/testing/certificate'
import {
  answering,
  client,
  connectedSockets,
  OK,
  REQUEST,
  type Received,
  receive,
} from '@clinic-data/testing/receivers/target-receiver'
import type { TargetClientOptions } from '../src/receiver/target-client.ts'

const HOUR_MS = 60 * 60 * 1000
const home = async () => ['127.0.0.1']

async function deliver(
  t: TestContext,
  target: { certificate?: CertificateOptions; host?: string; ca?: string | null },
) {
  const own = makeCertificate(target.certificate)
  const receiver = await receive(t, answering(OK), own)
  const options: TargetClientOptions = {
    resolveName: home,
    ...(target.ca === null ? {} : { ca: target.ca ?? own.cert }),
  }
  const url = receiver.url('/hook', target.host ?? '127.0.0.1', 'https')
  return { receiver, outcome: await client(t, options).post({ url, ...REQUEST }) }
}

/** The name that the client announced, or `false` for none. */
function announced({ socket }: Received): string | false | null | undefined {
  assert.ok(socket instanceof TLSSocket)
  return (socket as TLSSocket & { servername?: string | false }).servername
}

describe('a delivery by https', () => {
  test('reaches a receiver whose certificate names its address, to which no name is announced', async (t) => {
    const { receiver, outcome } = await deliver(t, {})
    assert.deepEqual([outcome.response_status, outcome.error], [200, null])
    const received = await receiver.connection()
    assert.match(await received.request(), /^POST \/hook HTTP\/1\.1\r\n/)
    assert.ok(!announced(received))
  })

  test('reaches a receiver whose certificate names its name, with or without the dot of the root', async (t) => {
    for (const host of ['crm.example.com', 'CRM.Example.com', 'crm.example.com.']) {
      const { receiver, outcome } = await deliver(t, { certificate: { names: ['crm.example.com'] }, host })
      assert.deepEqual([outcome.response_status, outcome.error], [200, null], host)
      const received = await receiver.connection()
      assert.equal(announced(received), 'crm.example.com')
      assert.match(await received.request(), new RegExp(`^host: ${host.toLowerCase()}:${receiver.port}\r$`, 'm'))
    }
  })

  const names = ['crm.example.com']
  const wrong: Readonly<Record<string, Parameters<typeof deliver>[1]>> = {
    'another name': { certificate: { names: ['other.example.com'] }, host: 'crm.example.com' },
    'a longer name': { certificate: { names: ['crm.example.com.evil.example'] }, host: 'crm.example.com' },
    'a name in place of its address': { certificate: { names }, host: '127.0.0.1' },
    'its address in place of its name': { certificate: { names: ['127.0.0.1'] }, host: 'crm.example.com' },
    'a time that is over': { certificate: { names, until: Date.now() - HOUR_MS }, host: 'crm.example.com' },
    'a time that is to come': { certificate: { names, until: Date.now() + 72 * HOUR_MS }, host: 'crm.example.com' },
    'nobody but itself': { certificate: { names }, host: 'crm.example.com', ca: null },
    'an authority that is not trusted': {
      certificate: { names },
      host: 'crm.example.com',
      ca: makeCertificate({ names }).cert,
    },
  }
  for (const [name, target] of Object.entries(wrong)) {
    test(`is not sent to a receiver whose certificate speaks for ${name}`, async (t) => {
      const { receiver, outcome } = await deliver(t, target)
      assert.deepEqual([outcome.response_status, outcome.error], [null, 'tls'])
      for (const received of receiver.connections) {
        await received.closed()
        assert.equal(received.text, '')
      }
    })
  }

  test('is not sent to an untrusted receiver when the environment turns verification off', async (t) => {
    // Node.js warns about the variable once.
    process.removeAllListeners('warning')
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
    const { outcome } = await deliver(t, { ca: null })
    assert.equal(outcome.error, 'tls')
  })

  test('is not sent to a receiver that speaks no TLS, an old version, or only HTTP/2', async (t) => {
    const certificate = makeCertificate()
    const old: SecureVersion = 'TLSv1.1'
    const receivers = [
      await receive(t, ({ socket }) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      await receive(t, answering(OK), { ...certificate, minVersion: old, maxVersion: old, ciphers: 'ALL:@SECLEVEL=0' }),
      await receive(t, answering(OK), { ...certificate, ALPNProtocols: ['h2'] }),
    ]
    for (const receiver of receivers) {
      const url = receiver.url('/hook', '127.0.0.1', 'https')
      assert.equal((await client(t, { ca: certificate.cert }).post({ url, ...REQUEST })).error, 'tls')
    }
  })

  test('to a receiver that never ends its handshake is given up after 5 seconds of its own', async (t) => {
    const receiver = await receive(t, () => undefined)
    const url = receiver.url('/hook', '127.0.0.1', 'https')
    const outcome = await client(t, { bounds: { connectTimeoutMs: 40 } }).post({ url, ...REQUEST })
    assert.equal(outcome.error, 'tls')
    assert.ok(outcome.duration_ms >= 35 && outcome.duration_ms < 5_000)
    await (await receiver.connection()).closed()
  })

  test('that is aborted in the handshake leaves no connection', async (t) => {
    const receiver = await receive(t, () => undefined)
    const abort = new AbortController()
    const url = receiver.url('/hook', '127.0.0.1', 'https')
    const sending = client(t, { bounds: { connectTimeoutMs: 60_000 } })
    const posting = sending.post({ url, ...REQUEST, signal: abort.signal })
    const received = await receiver.connection()
    abort.abort()
    assert.equal((await posting).error, 'aborted')
    await received.closed()
  })

  test('uses its connection again, and the receiver may end it at any time', async (t) => {
    const certificate = makeCertificate()
    const receiver = await receive(t, answering(OK), certificate)
    const sending = client(t, { ca: certificate.cert })
    const sockets = connectedSockets(t)
    const post = async () => (await sending.post({ url: receiver.url('/', '127.0.0.1', 'https'), ...REQUEST })).error
    assert.deepEqual([await post(), await post()], [null, null])
    assert.equal(receiver.connections.length, 1)
    receiver.connections[0]?.socket.destroy()
    const [socket] = sockets
    assert.ok(socket)
    await new Promise((resolve) => socket.once('close', resolve))
    assert.equal(await post(), null)
    assert.equal(receiver.connections.length, 2)
  })

  test('reads no more than 64 KiB of an answer', async (t) => {
    const certificate = makeCertificate()
    const receiver = await receive(
      t,
      async (received) => {
        await received.request()
        const { socket } = received
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n')
        const pour = () => {
          while (!socket.destroyed && socket.write('x'.repeat(16 * 1024)));
        }
        socket.on('drain', pour)
        pour()
      },
      certificate,
    )
    const sockets = connectedSockets(t)
    const url = receiver.url('/', '127.0.0.1', 'https')
    const bounds = { attemptTimeoutMs: 60_000, bodyTimeoutMs: 60_000 }
    const outcome = await client(t, { ca: certificate.cert, bounds }).post({ url, ...REQUEST })
    assert.deepEqual([outcome.response_status, outcome.error], [200, null])
    const [socket] = sockets
    assert.ok(socket && socket.bytesRead <= 160 * 1024, `${socket?.bytesRead} bytes were read`)
    await (await receiver.connection()).closed()
  })
})
