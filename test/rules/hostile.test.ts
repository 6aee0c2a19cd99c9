// Requests that no well-meaning client sends. Each gets the right refusal and never a 500, and no answer is mixed with another.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import test, { after, before } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DEADLINE_MS } from '@clinic-data/gateway/limits/deadline'
import { raw, statusesOf } from '@clinic-data/testing/raw-connection'
import { ask, smallClinic, startParts, type TestClinic, type TestParts } from '@clinic-data/testing/run/test-service'
import { stoppedTime } from '@clinic-data/testing/stopped-time'

let service: TestParts
let clinic: TestClinic
let port: number
/** The next file link's content. Null means the stored file. */
let file: Readable | null = null
const FILE_BYTES = 20
const SHORT_MS = 150

function serviceWithFile(deadlineMs = DEADLINE_MS): Promise<TestParts> {
  return startParts({
    deadlineMs,
    wrap: (backend) => ({
      ...backend,
      openFile: async (reference, range) =>
        file === null
          ? backend.openFile(reference, range)
          : {
              state: 'open',
              content_type: 'audio/wav',
              file_name: 'call.wav',
              size_bytes: FILE_BYTES,
              first: 0,
              last: FILE_BYTES - 1,
              stream: file,
            },
    }),
  })
}

const portOf = async (one: TestParts) => Number(new URL(await one.address()).port)

before(async () => {
  service = await serviceWithFile()
  clinic = await smallClinic(service)
  port = await portOf(service)
})
after(() => service.close())

/** A request with a key that asks to close the connection. */
function request(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line}`, 'Host: a', `Authorization: Bearer ${clinic.key}`, 'Connection: close', ...headers, '', body].join(
    '\r\n',
  )
}

/** The problem in a raw answer, which must be the only one and have the headers of every answer. */
function problemOf(answer: string): { status: number; detail: string; errors?: { header?: string }[] } {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  for (const header of ['x-request-id', 'cache-control', 'x-content-type-options', 'referrer-policy'])
    assert.match(head, new RegExp(`^${header}: \\S`, 'm'), header)
  for (const header of ['content-security-policy', 'strict-transport-security'])
    assert.match(head, new RegExp(`^${header}: \\S`, 'm'), header)
  const problem = JSON.parse(body)
  assert.deepEqual(statusesOf(answer), [problem.status])
  return problem
}

test('a method that only the HTTP server knows is 405 on a known path and 404 elsewhere', async () => {
  assert.equal(problemOf(await raw(port, request('QUERY /v1/me HTTP/1.1'))).status, 405)
  assert.equal(problemOf(await raw(port, request('QUERY /nope HTTP/1.1'))).status, 404)
})

test("an invalid media type does not hide the path's fault", async () => {
  const headers = ['Content-Type: ;;;', 'Content-Length: 2']
  assert.equal(problemOf(await raw(port, request('POST /v1/me HTTP/1.1', headers, '{}'))).status, 405)
  assert.equal(problemOf(await raw(port, request('POST /nope HTTP/1.1', headers, '{}'))).status, 404)
})

test('every refusal below the router has the headers of every answer', async () => {
  const refused: [line: string, status: number][] = [
    ['GET /v1/patients/%zz HTTP/1.1', 404],
    ['GET /v1/patients/%ed%a0%80 HTTP/1.1', 404],
    ['GET /files/%ff HTTP/1.1', 404],
    [`GET /v1/patients/${'a'.repeat(5000)} HTTP/1.1`, 404],
    [`GET /${'a'.repeat(100_000)} HTTP/1.1`, 414],
    ['GET /v1/patients/\xff HTTP/1.1', 400],
    ['get /v1/me HTTP/1.1', 400],
    ['GET /v1/me HTTP/1.2', 400],
    ['GET /v1/me HTTP/2.0', 400],
    ['GET /v1/me HTTP/0.9', 400],
  ]
  for (const [line, status] of refused) {
    const answer = await raw(port, Buffer.from(request(line), 'latin1'))
    assert.equal(problemOf(answer).status, status, line.slice(0, 40))
  }
})

test('an address with letters as they are typed, as curl sends them, is told to percent-encode them', async () => {
  const { status, detail } = problemOf(await raw(port, request('GET /v1/patients?query=לוי HTTP/1.1')))
  assert.equal(status, 400)
  assert.match(detail, /percent-encoded, as %D7%9C for ל/)
})

test('a router’s refusal leaves a log line like any other answer', async () => {
  const { headers } = await ask(service, null, '/%ff')
  const line = service.logLines.find((one) => one.includes(String(headers['x-request-id'])))
  assert.match(line ?? '', /"status":404/)
})

test('an id that the audit log would cut within a character is 404', async () => {
  const id = `${'a'.repeat(127)}${encodeURIComponent('😀')}`
  assert.equal((await ask(service, clinic.key, `/v1/patients/${id}`)).status, 404)
})

test('a header that says where a request goes or who sends it may appear only once', async () => {
  for (const header of ['Host: b', 'Authorization: Bearer other', 'authorization: Bearer other']) {
    const { status, errors } = problemOf(await raw(port, request('GET /v1/me HTTP/1.1', [header])))
    assert.deepEqual([status, errors?.[0]?.header?.toLowerCase()], [400, header.split(':')[0]?.toLowerCase()])
  }
})

test('a proxy’s absolute address is read by its path', async () => {
  assert.deepEqual(statusesOf(await raw(port, request('GET http://other.example/v1/me HTTP/1.1'))), [200])
  assert.equal(problemOf(await raw(port, request('POST http://other.example/v1/me?x=1 HTTP/1.1'))).status, 405)
})

test('a parameter with the name of a built-in JavaScript property is unknown', async () => {
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
    const { status, json } = await ask(service, clinic.key, `/v1/patients?${name}=1`)
    assert.deepEqual([status, json.errors[0].parameter], [400, name])
  }
})

test('a shown name is never cut within a character', async () => {
  const name = `${'a'.repeat(59)}${encodeURIComponent('😀')}`
  const { text, json } = await ask(service, clinic.key, `/v1/patients?${name}=1&${name}=2`)
  assert.equal(json.status, 400)
  assert.doesNotMatch(text, /\\ud[89a-f]/i)
})

test('an unread body gets one answer, which ends the connection', async () => {
  const open = (line: string, header: string, body: string) =>
    raw(port, request(line, [header], body).replace('Connection: close\r\n', ''))
  const chunked = 'Transfer-Encoding: chunked'
  const startedAt = performance.now()
  const answers = [
    await open('POST /v1/me HTTP/1.1', chunked, 'not a chunk\r\n'),
    await open('POST /v1/me HTTP/1.1', chunked, 'ffffffffffffffffff\r\n'),
    await open('POST /v1/me HTTP/1.1', 'Transfer-Encoding: gzip', 'abc'),
    await open('POST /v1/me HTTP/1.1', 'Content-Length: 9223372036854775807', 'abc'),
  ]
  for (const answer of answers) assert.equal(problemOf(answer).status, 405)
  assert.deepEqual(statusesOf(await open('GET /v1/me HTTP/1.1', 'Content-Length: 5', '')), [200])
  assert.ok(performance.now() - startedAt < 5_000, 'no connection waits for the rest')
})

test('a refused tunnel or request is released, whether its client stays, continues or breaks off', async () => {
  for (const refused of ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'NONSENSE\r\n\r\n']) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(refused))
    socket.on('error', () => undefined)
    await once(socket, 'data')
    socket.resetAndDestroy()
    const talker = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => talker.write(refused))
    talker.on('error', () => undefined)
    const timer = setInterval(() => talker.write('more'), 20)
    await new Promise((resolve) => talker.once('close', resolve))
    clearInterval(timer)
  }
  assert.deepEqual(statusesOf(await raw(port, request('GET /v1/me HTTP/1.1'))), [200])
})

test('unparsable bytes do not interrupt the answer to the request before them', async () => {
  const recording = await linkToRecording()
  file = new Readable({ read: () => undefined })
  file.push('a'.repeat(FILE_BYTES / 2))
  service.gateway.app.server.once('clientError', () => {
    file?.push('b'.repeat(FILE_BYTES / 2))
    file?.push(null)
  })
  try {
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${recording} HTTP/1.1\r\nHost: a\r\n\r\n`))
      socket.on('data', (chunk) => {
        if (text === '') socket.write('NONSENSE\r\n\r\n')
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    assert.deepEqual(statusesOf(answer), [200])
    assert.ok(answer.endsWith(`\r\n\r\n${'a'.repeat(FILE_BYTES / 2)}${'b'.repeat(FILE_BYTES / 2)}`), answer)
  } finally {
    file = null
  }
})

test('unparsable bytes do not suppress the answers to the requests before them', async () => {
  const whole = request('GET /v1/me HTTP/1.1').replace('Connection: close\r\n', '')
  for (const count of [1, 2, 30]) {
    const answer = await raw(port, `${whole.repeat(count)}NONSENSE\r\n\r\n`)
    assert.deepEqual(statusesOf(answer), Array(count).fill(200))
  }
})

test('a download may take longer than a request may', async (t) => {
  // No request meets its deadline, however busy the machine: only a route with a timer of its own could.
  stoppedTime(t, 'setInterval')
  const own = await serviceWithFile(SHORT_MS)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  try {
    const recording = await linkToRecording(own)
    file = new Readable({ read: () => begin() })
    file.push('a'.repeat(FILE_BYTES - 1))
    const answer = raw(await portOf(own), `GET ${recording} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    await begun
    await delay(2 * SHORT_MS)
    file.push('b')
    file.push(null)
    assert.ok((await answer).endsWith('ab'))
  } finally {
    file = null
    await own.close()
  }
})

/** The path of a link to some call's recording. */
async function linkToRecording(of = service): Promise<string> {
  const calls = await ask(of, clinic.key, '/v1/calls?has_recording=true&limit=1')
  const { json } = await ask(of, clinic.key, `/v1/calls/${calls.json.data[0].id}/recording`)
  const { pathname, search } = new URL(json.data.url)
  return `${pathname}${search}`
}
