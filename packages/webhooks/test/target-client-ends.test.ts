// Attempts that end early: a receiver that breaks off or does not speak HTTP, and attempts that we abort.
import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { answering, client, OK, REQUEST, receive } from '@clinic-data/testing/receivers/target-receiver'
import { lost, said } from './target-outcomes.ts'

describe('a receiver that breaks off', () => {
  const broken: Readonly<Record<string, readonly [(socket: Socket) => void, object]>> = {
    'resets before its answer': [(socket) => socket.resetAndDestroy(), lost('connection_lost')],
    'closes before its answer': [(socket) => socket.end(), lost('connection_lost')],
    'resets within its head': [
      (socket) => socket.write('HTTP/1.1 200 OK\r\nx-a', () => socket.resetAndDestroy()),
      lost('connection_lost'),
    ],
    'resets within its body': [
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx', () => socket.resetAndDestroy()),
      { response_status: 200, error: null, retry_after: null },
    ],
    'closes within its body': [
      (socket) => socket.end('HTTP/1.1 503 X\r\nretry-after: 5\r\ncontent-length: 9\r\n\r\nx'),
      { response_status: 503, error: 'http_5xx', retry_after: '5' },
    ],
    'closes at the end of its body': [
      (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nfine'),
      { response_status: 200, error: null, retry_after: null },
    ],
  }
  for (const [name, [behave, expected]] of Object.entries(broken)) {
    test(`and ${name}`, async (t) => {
      const receiver = await receive(t, async (received) => {
        await received.request()
        behave(received.socket)
      })
      const outcome = await client(t).post({ url: receiver.url(), ...REQUEST })
      assert.deepEqual(said(outcome), expected)
      assert.equal(receiver.connections.length, 1, 'sent once')
    })
  }

  test('where nobody listens is reported as `connect`', async (t) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    assert.deepEqual(said(await client(t).post({ url: `http://127.0.0.1:${port}/`, ...REQUEST })), lost('connect'))
  })
})

describe('an answer that is none', () => {
  const answers: Readonly<Record<string, string>> = {
    'another protocol': 'SSH-2.0-OpenSSH_9.6\r\n',
    'an older protocol': '<html>hello</html>\r\n\r\n',
    'a status that is no number': 'HTTP/1.1 abc OK\r\n\r\n',
    'a status of four digits': 'HTTP/1.1 2000 OK\r\n\r\n',
    'a status beyond 599': 'HTTP/1.1 999 X\r\ncontent-length: 0\r\n\r\n',
    'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
    'a length and chunks': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'a header with a line break': 'HTTP/1.1 200 OK\r\nx-a: b\rc\r\n\r\n',
    'a call to continue that nobody waits for': `HTTP/1.1 100 Continue\r\n\r\n${OK}`,
    'another protocol by upgrade': 'HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    'a header of 70 KB': `HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(70_000)}\r\n\r\n`,
  }
  for (const [name, answer] of Object.entries(answers)) {
    test(`(${name}) is reported as such, and its connection is closed`, async (t) => {
      const receiver = await receive(t, answering(answer))
      const sending = client(t, { bounds: { idleTimeoutMs: 60_000 } })
      const outcome = await sending.post({ url: receiver.url(), ...REQUEST })
      assert.deepEqual(said(outcome), lost('invalid_response'))
      await (await receiver.connection()).closed()
    })
  }

  test('behind an answer reaches no other delivery', async (t) => {
    const receiver = await receive(t, answering(`${OK}HTTP/1.1 500 X\r\ncontent-length: 0\r\n\r\n`))
    const sending = client(t)
    for (let count = 0; count < 5; count++) {
      assert.equal((await sending.post({ url: receiver.url(), ...REQUEST })).response_status, 200)
    }
  })
})

describe('an aborted attempt', () => {
  test('before it begins sends nothing', async (t) => {
    const receiver = await receive(t, answering(OK))
    const outcome = await client(t).post({ url: receiver.url(), ...REQUEST, signal: AbortSignal.abort() })
    assert.deepEqual(said(outcome), lost('aborted'))
    assert.equal(receiver.connections.length, 0)
  })

  test('while its name is resolved ends at once and never connects', async (t) => {
    const receiver = await receive(t, answering(OK))
    const abort = new AbortController()
    const requested = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<readonly string[]>()
    const resolveName = () => {
      requested.resolve()
      return answer.promise
    }
    const posting = client(t, { resolveName }).post({
      url: receiver.url('/', 'localhost'),
      ...REQUEST,
      signal: abort.signal,
    })
    await requested.promise
    abort.abort()
    assert.deepEqual(said(await posting), lost('aborted'))
    answer.resolve(['127.0.0.1'])
    await new Promise(setImmediate)
    // Connections are accepted in order: an earlier one would be there by now.
    assert.equal((await client(t).post({ url: receiver.url(), ...REQUEST })).error, null)
    assert.equal(receiver.connections.length, 1)
  })

  test('while the receiver thinks ends at once and closes its connection', async (t) => {
    const receiver = await receive(t, () => undefined)
    const abort = new AbortController()
    const sending = client(t)
    const posting = [1, 2, 3].map(() => sending.post({ url: receiver.url(), ...REQUEST, signal: abort.signal }))
    const received = await Promise.all([1, 2, 3].map((number) => receiver.connection(number)))
    await Promise.all(received.map((each) => each.request()))
    abort.abort()
    for (const outcome of await Promise.all(posting)) assert.deepEqual(said(outcome), lost('aborted'))
    await Promise.all(received.map((each) => each.closed()))
  })

  test('that may not start any more has connected and sends nothing', async (t) => {
    const receiver = await receive(t, answering(OK))
    const sending = client(t)
    const post = (mayStart: () => boolean) => sending.post({ url: receiver.url(), ...REQUEST, mayStart })
    assert.deepEqual(said(await post(() => receiver.connections.length === 0)), lost('aborted'))
    const first = await receiver.connection()
    await first.closed()
    assert.equal(first.text, '')
    assert.equal((await post(() => true)).error, null)
    assert.deepEqual(said(await post(() => false)), lost('aborted'))
    const second = await receiver.connection(2)
    await second.closed()
    assert.deepEqual([second.requests.length, receiver.connections.length], [1, 2])
  })

  test('within the body keeps the status that had arrived', async (t) => {
    const receiver = await receive(t, answering('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nx'))
    const abort = new AbortController()
    const headers = channel('undici:request:headers')
    const onHeaders = () => setImmediate(() => abort.abort())
    headers.subscribe(onHeaders)
    t.after(() => headers.unsubscribe(onHeaders))
    const outcome = await client(t, { bounds: { bodyTimeoutMs: 30_000 } }).post({
      url: receiver.url(),
      ...REQUEST,
      signal: abort.signal,
    })
    assert.deepEqual(said(outcome), { response_status: 200, error: null, retry_after: null })
  })

  test('by the closing of the client leaves no connection, and none is made after it', async (t) => {
    const receiver = await receive(t, () => undefined)
    const sending = client(t)
    const posting = sending.post({ url: receiver.url(), ...REQUEST })
    const received = await receiver.connection()
    await received.request()
    await sending.close()
    assert.deepEqual(said(await posting), lost('aborted'))
    await received.closed()
    assert.deepEqual(said(await sending.post({ url: receiver.url(), ...REQUEST })), lost('aborted'))
    assert.equal(receiver.connections.length, 1)
  })
})
