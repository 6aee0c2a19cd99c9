// HTTP below and around the contract: paths, methods, headers, sizes, and what Node's parser refuses. Every answer that is not a
// 2xx is a problem.
import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import test, { after, before } from 'node:test'
import { allOperations, problems } from '@clinic-data/contract'
import { raw, statusesOf } from '@clinic-data/testing/raw-connection'
import {
  ask,
  BASE_URL,
  emptyClinic,
  keyOf,
  pathOf,
  startParts,
  startService,
  type TestService,
} from '@clinic-data/testing/run/test-service'
import { until } from '@clinic-data/testing/until'

let service: TestService
let key: string
let port: number

before(async () => {
  service = await startService()
  key = await keyOf(service.owner, await emptyClinic(service.owner), ['patients:read'])
  port = Number(new URL(await service.address()).port)
})
after(() => service.close())

/** The status and the slug of a raw answer, which must be a problem. */
function problemOf(answer: string): [status: number, slug: string] {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  assert.match(head, /content-type: application\/problem\+json/i)
  assert.match(head, /x-request-id: req_/i)
  const problem = JSON.parse(body)
  const slug = String(problem.type).slice(`${BASE_URL}/problems/`.length)
  assert.equal(problem.code, slug)
  assert.equal(problems[slug as keyof typeof problems][0], problem.status)
  assert.equal(Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), problem.status)
  return [problem.status, slug]
}

for (const operation of allOperations) {
  test(`${operation.path} answers 405 with Allow to other methods, before any key is read`, async () => {
    const methods = allOperations
      .filter(({ path }) => path === operation.path)
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'DELETE', 'POST'].filter((other) => !methods.includes(other))) {
      const { status, headers, json } = await ask(service, null, pathOf(operation), { method })
      assert.equal(status, 405, method)
      assert.equal(headers.allow, methods.join(', '))
      assert.match(json.type, /\/problems\/method-not-allowed$/)
    }
  })
}

test('an unknown path is 404 before any key is read', async () => {
  for (const path of [
    '/docs/nothing',
    '/v1',
    '/v1/',
    '/v1/patients/',
    '/v2/patients',
    '/v1//patients',
    '/V1/patients',
    '/v1/patients/a/b/c',
    '/%ff',
  ]) {
    const { status, json } = await ask(service, null, path)
    assert.equal(status, 404, path)
    assert.match(json.type, /\/problems\/not-found$/)
  }
})

test('an unknown path tells where the reference and the OpenAPI document are', async () => {
  const { json } = await ask(service, null, '/openapi.json')
  const named = [...json.detail.matchAll(/\/[a-z0-9/.]+\w/g)].map(([path]) => path)
  assert.deepEqual(named, ['/docs', '/v1/openapi.json'])
  for (const path of named) assert.equal((await ask(service, null, path)).status, 200, path)
})

test('an unknown path names the one that is meant, and repeats nothing of the request', async () => {
  for (const [path, meant] of [
    ['/v1/patient?query=Levi', '/v1/patients'],
    ['/v1/patients/?query=Levi', '/v1/patients'],
    ['/v1/appointment/a-secret', '/v1/appointments/{id}'],
  ] as const) {
    const { status, text, json } = await ask(service, null, path)
    assert.equal(status, 404)
    assert.equal(json.detail.split('?')[0], `There is no such path. Do you mean ${meant}`)
    assert.doesNotMatch(text, /secret|Levi/)
  }
})

test('a path with /v1 twice says how to mend the base address', async () => {
  const { status, json } = await ask(service, null, '/v1/v1/patients')
  assert.deepEqual([status, json.code], [404, 'not-found'])
  assert.match(json.detail, /leave out \/v1 of the base address/)
})

test('every answer has a request id of ours and the security headers, for every request', async () => {
  const paths = ['/v1/me', '/v1/patients?limit=x', '/nope', '/v1/patients/none', '/healthz']
  for (const path of paths) {
    const { headers, json } = await ask(service, key, path, { headers: { 'x-request-id': 'mine' } })
    assert.match(String(headers['x-request-id']), /^req_[0-9a-f]{32}$/)
    if (json?.request_id) assert.equal(json.request_id, headers['x-request-id'])
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    assert.match(String(headers['strict-transport-security']), /max-age=\d+/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['access-control-allow-origin'], undefined)
  }
})

test('HEAD answers like GET without a body', async () => {
  const got = await ask(service, key, '/v1/me')
  const head = await ask(service, key, '/v1/me', { method: 'HEAD' })
  assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', got.headers.etag])
})

test('every refusal of the parser is a problem', async () => {
  const answers: [request: string, status: number, slug: string][] = [
    ['NONSENSE\r\n\r\n', 400, 'invalid-request'],
    ['GET /v1/me HTTP/1.1\r\n\r\n', 400, 'invalid-request'],
    ['GET /v1/me HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n', 400, 'invalid-request'],
    ['CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method-not-allowed'],
    ['TRACE /v1/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405, 'method-not-allowed'],
    ['GET /v1/me HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n', 417, 'expectation-failed'],
    [`GET /v1/me?${'x'.repeat(9000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 414, 'uri-too-long'],
    [`GET /v1/patients/${'x'.repeat(9000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 414, 'uri-too-long'],
    [`GET /v1/me?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 414, 'uri-too-long'],
    [`GET /v1/me HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'header-fields-too-large'],
  ]
  for (const [request, status, slug] of answers) {
    assert.deepEqual(problemOf(await raw(port, request, /\r\n\r\n\{.*\}$/s)), [status, slug], request.slice(0, 40))
  }
})

test('a client that sends its headers slowly gets 408 and is disconnected', async () => {
  const other = await startParts()
  try {
    const own = Number(new URL(await other.address()).port)
    const { server } = other.gateway.app
    assert.equal(server.headersTimeout, 5_000)
    server.headersTimeout = 1
    const answer = await raw(own, 'GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Slow: ')
    assert.deepEqual(problemOf(answer), [408, 'request-timeout'])
  } finally {
    await other.close()
  }
})

test('requests in one packet are answered in order', async () => {
  const one = (path: string, last = false) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`
  const text = await raw(port, one('/v1/me') + one('/v1/patients/none') + one('/nope', true))
  assert.deepEqual(statusesOf(text), [200, 404, 404])
})

test('each problem that an answer can name has a page that explains it', async () => {
  for (const slug of Object.keys(problems)) {
    const { status, headers, text } = await ask(service, null, `/problems/${slug}`)
    assert.equal(status, 200, slug)
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.match(text, new RegExp(slug))
  }
  assert.equal((await ask(service, null, '/problems/none')).status, 404)
})

test('the process is always healthy, and it is ready while its backend answers', async () => {
  assert.equal((await ask(service, null, '/healthz')).status, 200)
  assert.equal((await ask(service, null, '/readyz')).status, 200)
  const down = await startParts({
    wrap: (backend) => ({ ...backend, ready: () => Promise.reject(new Error('down')) }),
  })
  try {
    assert.equal((await ask(down, null, '/healthz')).status, 200)
    const { status, headers } = await ask(down, null, '/readyz')
    assert.deepEqual([status, headers['retry-after']], [503, '1'])
  } finally {
    await down.close()
  }
})

test('a probe leaves a line in the log only when it is refused', async () => {
  let isDown = false
  const other = await startParts({
    wrap: (backend) => ({ ...backend, ready: async () => assert.ok(!isDown, 'down') }),
  })
  const routes = () => other.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  try {
    for (const path of ['/healthz', '/readyz', '/docs']) assert.equal((await ask(other, null, path)).status, 200)
    await until(
      async () => routes().length > 0,
      () => 'no request was logged',
    )
    assert.deepEqual(
      routes().map(({ route }) => route),
      ['/docs'],
    )
    isDown = true
    assert.equal((await ask(other, null, '/readyz')).status, 503)
    await until(
      async () => routes().length > 1,
      () => 'the refused probe was not logged',
    )
    assert.deepEqual(
      routes()
        .map(({ route, status }) => [route, status])
        .at(-1),
      ['/readyz', 503],
    )
  } finally {
    await other.close()
  }
})

test('a gateway whose requests cannot be recorded is not ready, until one is', async () => {
  let isFull = true
  const other = await startParts({
    wrap: (backend) => ({
      ...backend,
      audit: (rows) => (isFull ? Promise.reject(new Error('no space left')) : backend.audit(rows)),
    }),
  })
  try {
    assert.equal((await ask(other, null, '/readyz')).status, 200)
    assert.equal((await ask(other, key, '/v1/me')).status, 503)
    const { status, json } = await ask(other, null, '/readyz')
    assert.deepEqual([status, json.detail], [503, 'Requests cannot be recorded.'])
    isFull = false
    assert.equal((await ask(other, key, '/v1/me')).status, 200)
    assert.equal((await ask(other, null, '/readyz')).status, 200)
  } finally {
    await other.close()
  }
})

test('a request that arrives on an open connection during the stop is answered, and the connection is closed', async () => {
  const held = Promise.withResolvers<void>()
  // One that waits for its turn when the stop begins is answered as the last of its connection.
  const begun = Promise.withResolvers<void>()
  const other = await startParts({
    wrap: (backend) => ({
      ...backend,
      authenticate: async (hash) => {
        begun.resolve()
        await held.promise
        return backend.authenticate(hash)
      },
    }),
  })
  const owned = await keyOf(other.owner, await emptyClinic(other.owner), [])
  await other.gateway.app.listen({ host: '127.0.0.1', port: 0 })
  const request = `GET /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owned}\r\n\r\n`
  const socket = connect((other.gateway.app.server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(request)
  await begun.promise
  const second = new Promise((resolve) => other.gateway.app.server.once('request', resolve))
  const stopped = other.close()
  socket.write(request)
  await second
  held.resolve()
  await Promise.all([closed, stopped])
  assert.deepEqual(statusesOf(text), [200, 200])
  assert.match(text, /connection: close/i)
})
