// Everything that a receiver may do with a delivery, and its reported outcome: real sockets, and always an end.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  answering,
  client,
  connectedSockets,
  OK,
  REQUEST,
  receive,
} from '@clinic-data/testing/receivers/target-receiver'
import { type AttemptOutcome, TARGET_BOUNDS } from '../src/receiver/target-client.ts'
import { lost, said } from './target-outcomes.ts'

async function outcomeOf(t: TestContext, answer: string): Promise<AttemptOutcome> {
  const receiver = await receive(t, answering(answer))
  return client(t).post({ url: receiver.url(), ...REQUEST })
}

describe('a delivery', () => {
  test('arrives as it was given, in one request of HTTP/1.1', async (t) => {
    const receiver = await receive(t, answering(OK))
    const body = new TextEncoder().encode('{"שם":"דנה"}')
    const outcome = await client(t).post({ url: receiver.url('/hook?a=1&b=%20'), headers: REQUEST.headers, body })
    assert.deepEqual(said(outcome), { response_status: 200, error: null, retry_after: null })
    assert.ok(Number.isInteger(outcome.duration_ms) && outcome.duration_ms >= 0)
    const [head = '', sent = ''] = (await (await receiver.connection()).request()).split('\r\n\r\n')
    assert.deepEqual(head.split('\r\n').sort(), [
      'POST /hook?a=1&b=%20 HTTP/1.1',
      'connection: keep-alive',
      `content-length: ${body.length}`,
      'content-type: application/json',
      `host: 127.0.0.1:${receiver.port}`,
      'x-service-event-id: evt1',
    ])
    assert.deepEqual(Buffer.from(sent, 'latin1'), Buffer.from(body))
  })

  const statuses: readonly (readonly [number, string | null])[] = [
    ...([200, 201, 202, 204, 206, 299].map((status) => [status, null]) as [number, null][]),
    ...([300, 301, 302, 303, 304, 307, 308].map((status) => [status, 'redirect']) as [number, string][]),
    ...([400, 401, 404, 410, 429].map((status) => [status, 'http_4xx']) as [number, string][]),
    ...([500, 502, 503, 599].map((status) => [status, 'http_5xx']) as [number, string][]),
  ]
  test('counts as arrived with 2xx only', async (t) => {
    for (const [status, error] of statuses) {
      const outcome = await outcomeOf(t, `HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
      assert.deepEqual(said(outcome), { response_status: status, error, retry_after: null }, String(status))
    }
  })

  test('counts as arrived with a 204 without a body, and with a 2xx after early hints', async (t) => {
    assert.equal((await outcomeOf(t, 'HTTP/1.1 204 No Content\r\n\r\n')).error, null)
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
    assert.deepEqual(said(await outcomeOf(t, `${hints}${hints}HTTP/1.1 102 Processing\r\n\r\n${OK}`)), {
      response_status: 200,
      error: null,
      retry_after: null,
    })
  })

  test('learns the requested pause from a short header', async (t) => {
    const busy = (value: string) => `HTTP/1.1 503 Busy\r\nretry-after: ${value}\r\ncontent-length: 0\r\n\r\n`
    assert.equal((await outcomeOf(t, busy('120'))).retry_after, '120')
    assert.equal(
      (await outcomeOf(t, busy('Wed, 21 Oct 2026 07:28:00 GMT'))).retry_after,
      'Wed, 21 Oct 2026 07:28:00 GMT',
    )
    assert.equal((await outcomeOf(t, busy('9'.repeat(65)))).retry_after, null)
  })

  test('follows no redirect, to a metadata service or anywhere', async (t) => {
    const elsewhere = await receive(t, answering(OK))
    const to = (location: string) => `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`
    for (const location of ['http://169.254.169.254/latest/meta-data/', elsewhere.url(), '/again']) {
      const receiver = await receive(t, answering(to(location)))
      const outcome = await client(t).post({ url: receiver.url(), ...REQUEST })
      assert.deepEqual(said(outcome), { response_status: 302, error: 'redirect', retry_after: null })
      assert.equal(receiver.connections.length, 1)
      assert.equal(receiver.connections[0]?.requests.length, 1)
    }
    assert.equal(elsewhere.connections.length, 0)
  })

  test('uses no proxy from the environment', async (t) => {
    const proxy = await receive(t, answering(OK))
    const receiver = await receive(t, answering(OK))
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'] as const
    t.after(() => {
      for (const name of names) delete process.env[name]
    })
    for (const name of names) process.env[name] = proxy.url('')
    assert.equal((await client(t).post({ url: receiver.url(), ...REQUEST })).error, null)
    assert.equal(proxy.connections.length, 0)
  })

  test('with headers that would inject others is not sent', async (t) => {
    const receiver = await receive(t, answering(OK))
    const sending = client(t)
    for (const headers of [{ 'x-a': 'b\r\nx-injected: 1' }, { 'x-a\r\nx-injected': '1' }, { 'x-a': 'b\u0000' }])
      await assert.rejects(sending.post({ url: receiver.url(), headers, body: '{}' }))
    const url = `${receiver.url()}\r\nx-injected: 1`
    assert.deepEqual(said(await sending.post({ url, ...REQUEST })), lost('blocked_address'))
    assert.equal((await sending.post({ url: receiver.url(), ...REQUEST })).error, null)
    const received = receiver.connections.map(({ text }) => text).join('')
    assert.deepEqual([received.match(/^POST /gm)?.length, received.includes('injected')], [1, false])
  })
})

describe('a slow receiver', () => {
  test('is waited for', async (t) => {
    const receiver = await receive(t, () => undefined)
    const posting = client(t).post({ url: receiver.url(), ...REQUEST })
    const received = await receiver.connection()
    await received.request()
    received.socket.write('HTTP/1.1 2')
    received.socket.write('00 OK\r\ncontent-le')
    received.socket.write('ngth: 2\r\n\r\no')
    received.socket.write('k')
    assert.equal((await posting).error, null)
  })

  const trickle = (start: string, more: string) => (socket: Socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(more), 5)
    socket.on('close', () => clearInterval(timer))
  }
  const slow: Readonly<Record<string, (socket: Socket) => void>> = {
    'never answers': () => undefined,
    'never ends its headers': trickle('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'),
    'never ends its early hints': trickle('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    'never ends its status line': trickle('HTTP/1.1 200 ', 'o'),
  }
  for (const [name, behave] of Object.entries(slow)) {
    test(`and ${name} is given up in time, its connection closed`, async (t) => {
      const receiver = await receive(t, (received) => behave(received.socket))
      const sending = client(t, { bounds: { attemptTimeoutMs: 60 } })
      const outcome = await sending.post({ url: receiver.url(), ...REQUEST })
      assert.deepEqual(said(outcome), lost('timeout'))
      assert.ok(outcome.duration_ms >= 55 && outcome.duration_ms < 5_000, String(outcome.duration_ms))
      await (await receiver.connection()).closed()
    })
  }

  for (const [status, error] of [
    [200, null],
    [500, 'http_5xx'],
    [302, 'redirect'],
  ] as const) {
    test(`with its body after a ${status} is not waited for: the status decides`, async (t) => {
      const receiver = await receive(t, async (received) => {
        await received.request()
        trickle(`HTTP/1.1 ${status} X\r\ntransfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n')(received.socket)
      })
      const outcome = await client(t, { bounds: { bodyTimeoutMs: 40 } }).post({ url: receiver.url(), ...REQUEST })
      assert.deepEqual(said(outcome), { response_status: status, error, retry_after: null })
      assert.ok(outcome.duration_ms >= 35 && outcome.duration_ms < 5_000, String(outcome.duration_ms))
      await (await receiver.connection()).closed()
    })
  }

  test('has 15 seconds: 3 for its name, 5 for the connection, 1 for the body', () => {
    const { attemptTimeoutMs, dnsTimeoutMs, connectTimeoutMs, bodyTimeoutMs } = TARGET_BOUNDS
    assert.deepEqual([attemptTimeoutMs, dnsTimeoutMs, connectTimeoutMs, bodyTimeoutMs], [15_000, 3_000, 5_000, 1_000])
  })

  test('gets no more time for its body than is left of the whole', async (t) => {
    const receiver = await receive(t, answering('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nx'))
    const sending = client(t, { bounds: { attemptTimeoutMs: 500, bodyTimeoutMs: 30_000 } })
    const outcome = await sending.post({ url: receiver.url(), ...REQUEST })
    assert.equal(outcome.error, null)
    assert.ok(outcome.duration_ms < 5_000)
  })

  test('leaves nothing of the sent data in memory', async (t) => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const receiver = await receive(t, ({ socket }) => socket.pause())
    const sending = client(t, { bounds: { attemptTimeoutMs: 60 } })
    const hang = async () => {
      const body = new Uint8Array(1024).fill(97)
      const outcome = await sending.post({ url: receiver.url(), headers: {}, body })
      assert.equal(outcome.error, 'timeout')
      return new WeakRef(body)
    }
    const bodies = await Promise.all(Array.from({ length: 100 }, hang))
    for (const { socket } of receiver.connections) socket.resume()
    await Promise.all(receiver.connections.map((received) => received.closed()))
    await new Promise(setImmediate)
    collect()
    await new Promise(setImmediate)
    collect()
    assert.equal(bodies.filter((body) => body.deref() !== undefined).length, 0)
  })
})

describe('a receiver that sends too much', () => {
  const flood = (start: string, more: string) => async (received: { socket: Socket; request(): Promise<string> }) => {
    await received.request()
    const { socket } = received
    socket.write(start)
    const pour = () => {
      while (!socket.destroyed && socket.write(more));
    }
    socket.on('drain', pour)
    pour()
  }
  /** Only the length can end it, not the clock. */
  const FOR_EVER = { attemptTimeoutMs: 60_000, bodyTimeoutMs: 60_000 }
  const filler = 'x'.repeat(16 * 1024)
  const cases: Readonly<Record<string, readonly [string, string, object]>> = {
    'a body of its length': [
      'HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n',
      filler,
      { response_status: 200, error: null, retry_after: null },
    ],
    'a body to the end of the connection': [
      'HTTP/1.1 500 X\r\n\r\n',
      filler,
      { response_status: 500, error: 'http_5xx', retry_after: null },
    ],
    'chunks without end': [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      `4000\r\n${filler}\r\n`,
      { response_status: 200, error: null, retry_after: null },
    ],
    'an extension of a chunk without end': [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;',
      filler,
      { response_status: 200, error: null, retry_after: null },
    ],
    'a header without end': ['HTTP/1.1 200 OK\r\nx-a: ', filler, lost('invalid_response')],
    'headers without end': ['HTTP/1.1 200 OK\r\n', `x-a: ${'b'.repeat(100)}\r\n`, lost('invalid_response')],
    'a status line without end': ['HTTP/1.1 200 ', filler, lost('invalid_response')],
    'early hints without end': [
      '',
      'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(50),
      lost('invalid_response'),
    ],
    'empty lines without end': ['', '\r\n'.repeat(8 * 1024), lost('invalid_response')],
  }
  for (const [name, [start, more, expected]] of Object.entries(cases)) {
    test(`${name}, is left after 64 KiB`, async (t) => {
      const receiver = await receive(t, flood(start, more))
      const sockets = connectedSockets(t)
      const outcome = await client(t, { bounds: FOR_EVER }).post({ url: receiver.url(), ...REQUEST })
      assert.deepEqual(said(outcome), expected)
      const [socket] = sockets
      assert.ok(socket?.destroyed)
      // One socket read of 64 KiB may come on top.
      assert.ok(socket.bytesRead <= 128 * 1024, `${socket.bytesRead} bytes were read`)
      await (await receiver.connection()).closed()
    })
  }
})
