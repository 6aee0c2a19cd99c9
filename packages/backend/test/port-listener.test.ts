// What the private listener lets through: nothing without the token, nothing past its time, no text of the inside.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import {
  allOperations,
  type Backend,
  type CallContext,
  type Grant,
  type Handlers,
  type Principal,
  Problem,
} from '@clinic-data/contract'
import { PORT_LIMITS, PORT_VERSION, portPaths } from '@clinic-data/contract/port'
import Fastify from 'fastify'
import { portRoutes } from '../src/port-listener.ts'

type Handle = (grant: Grant, input: unknown, context: CallContext) => Promise<unknown>

const token = randomBytes(24).toString('hex')

const principal: Principal = {
  key_id: 'key_1',
  clinic: {
    clinic_id: 'north',
    time_zone: 'Asia/Jerusalem',
    country: 'IL',
    currency: 'ILS',
    week_start: 0,
    min_visit_minutes: 15,
  },
  scopes: ['patients:read'],
  rate_limit: null,
  expires_at: null,
}
const input = { params: { id: 'p1' }, query: { limit: 25, after: null }, idempotency_key: null }

/** A backend whose every operation is answered by `handle`. */
function backendOf(handle: Handle, further: Partial<Backend> = {}): Backend {
  return {
    authenticate: async () => principal,
    handlers: Object.fromEntries(allOperations.map(({ id }) => [id, handle])) as unknown as Handlers,
    audit: async () => undefined,
    openFile: async () => ({ state: 'missing' }),
    ready: async () => undefined,
    ...further,
  }
}

function setUp(t: TestContext, handle: Handle, further: Partial<Backend> = {}) {
  const logged: { fields: Record<string, unknown>; line: string }[] = []
  const log = {
    warn: (fields: Record<string, unknown>, line: string) => logged.push({ fields, line }),
    error: (fields: Record<string, unknown>, line: string) => logged.push({ fields, line }),
  }
  const app = Fastify()
  app.register(portRoutes(backendOf(handle, further), { token, log }))
  t.after(() => app.close())
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answered = await app.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answered.statusCode, text: answered.body, headers: answered.headers }
  }
  const getPatient = (headers: Record<string, string> = {}, given: unknown = { principal, input }) =>
    post(portPaths.operation('patients.get'), given, headers)
  return { app, post, getPatient, logged }
}

const answering: Handle = async () => ({ data: { id: 'p1' } })

test('a token too short to keep anyone out is refused', () => {
  const log = { warn: () => undefined, error: () => undefined }
  for (const short of ['', 'x'.repeat(31)]) {
    assert.throws(() => portRoutes(backendOf(answering), { token: short, log }), /at least 32 characters/)
  }
})

test('every route refuses a call without the token, and calls nothing', async (t) => {
  const called = () => assert.fail('the backend was called')
  const { app } = setUp(t, called, { authenticate: called, audit: called, openFile: called, ready: called })
  const routes = [
    ['GET', portPaths.ready],
    ['POST', portPaths.authenticate],
    ['POST', portPaths.audit],
    ['POST', portPaths.files],
    ...allOperations.map(({ id }) => ['POST', portPaths.operation(id)]),
  ] as ['GET' | 'POST', string][]
  const wrong = [
    '',
    'Bearer',
    `Bearer ${token} `,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
    token,
    `Bearer ${token}x`,
  ]
  for (const [method, url] of routes) {
    for (const authorization of wrong) {
      const { statusCode, json } = await app.inject({ method, url, headers: authorization ? { authorization } : {} })
      assert.equal(statusCode, 401, url)
      assert.deepEqual(Object.keys(json()), ['error'], 'no problem that a gateway would hand on')
    }
  }
})

test('a handler gets a grant that was remade, the input, and the time that is left', async (t) => {
  let got: Parameters<Handle> | undefined
  const { getPatient } = setUp(t, async (...given) => {
    got = given
    return { data: { id: 'p1' } }
  })
  const { status, text } = await getPatient({ 'x-request-id': 'req_1', 'x-deadline-ms': '3000' })
  assert.equal(status, 200)
  assert.equal(text, '{"data":{"id":"p1"}}')
  const [grant, given, context] = got ?? assert.fail()
  assert.equal(grant.operation.id, 'patients.get')
  assert.deepEqual(grant.principal, principal)
  assert.deepEqual(given, input)
  assert.equal(context.request_id, 'req_1')
  const remaining = context.deadline - performance.now()
  assert.ok(remaining > 1500 && remaining <= 3000, `${remaining}`)
})

test('no call is given more than eight seconds', async (t) => {
  const deadlines: number[] = []
  const { getPatient } = setUp(t, async (_grant, _input, { deadline }) => {
    deadlines.push(deadline - performance.now())
    return { data: {} }
  })
  await getPatient()
  await getPatient({ 'x-deadline-ms': '999999999' })
  assert.equal(deadlines.length, 2)
  for (const left of deadlines) assert.ok(left <= PORT_LIMITS.deadline_ms && left > PORT_LIMITS.deadline_ms - 2000)
})

test('a principal without the scope is refused here too', async (t) => {
  const { getPatient } = setUp(t, () => assert.fail('the handler was called'))
  const { status, text } = await getPatient({}, { principal: { ...principal, scopes: ['calls:read'] }, input })
  assert.equal(status, 403)
  const { slug, members } = JSON.parse(text)
  assert.deepEqual([slug, members], ['forbidden', { required_scope: 'patients:read' }])
})

test('work whose time has passed is not begun, and work that outlives it is not waited for', async (t) => {
  let begun = 0
  const { getPatient } = setUp(t, () => {
    begun++
    return new Promise(() => undefined)
  })
  assert.equal((await getPatient({ 'x-deadline-ms': '0' })).status, 503)
  assert.equal(begun, 0)
  const { status, text } = await getPatient({ 'x-deadline-ms': '30' })
  assert.equal(begun, 1)
  assert.equal(status, 503)
  assert.deepEqual(JSON.parse(text).slug, 'service-unavailable')
})

test('a handler that fails after its time was given up does no harm', async (t) => {
  const { promise, reject } = Promise.withResolvers<never>()
  const { getPatient } = setUp(t, () => promise)
  assert.equal((await getPatient({ 'x-deadline-ms': '20' })).status, 503)
  reject(new Error('too late'))
  await promise.catch(() => undefined)
})

test('a problem travels with its slug, detail and members', async (t) => {
  const errors = [{ pointer: '#/phone', code: 'rule', detail: 'is taken' }]
  const { getPatient, logged } = setUp(t, () => Promise.reject(new Problem('unprocessable', 'Taken.', { errors })))
  const { status, text } = await getPatient()
  assert.equal(status, 422)
  assert.deepEqual(JSON.parse(text), { slug: 'unprocessable', detail: 'Taken.', members: { errors } })
  assert.deepEqual(logged, [])
})

test('the cause of a problem stays here, and is logged when the problem is the backend', async (t) => {
  const cause = new Error('relation "patient" does not exist')
  const { getPatient, logged } = setUp(t, () => Promise.reject(new Problem('service-unavailable', 'Later.', {}, cause)))
  const { status, text } = await getPatient({ 'x-request-id': 'req_1' })
  assert.equal(status, 503)
  assert.ok(!text.includes('relation'))
  assert.deepEqual(
    logged.map(({ fields }) => [fields.err, fields.request_id]),
    [[cause, 'req_1']],
  )
})

test('any other error is 500 without a word of it; the log has it', async (t) => {
  const error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { statusCode: 418 })
  const { getPatient, logged } = setUp(t, () => Promise.reject(error))
  const { status, text } = await getPatient()
  assert.equal(status, 500)
  assert.deepEqual(JSON.parse(text), { slug: 'internal-error', detail: 'An unexpected error.', members: {} })
  assert.deepEqual(
    logged.map(({ fields }) => fields.err),
    [error],
  )
})

test('a problem that is none of a backend is an error of it', async (t) => {
  const problem = new Problem('unauthorized', 'Send a valid key.')
  const { getPatient, logged } = setUp(t, () => Promise.reject(problem))
  assert.equal((await getPatient()).status, 500)
  assert.deepEqual(
    logged.map(({ fields }) => fields.err),
    [problem],
  )
})

test('a call of another form is refused as the gateway fault that it is', async (t) => {
  const { post, getPatient, logged } = setUp(t, () => assert.fail('the handler was called'))
  const operate = portPaths.operation('patients.get')
  const json = { 'content-type': 'application/json' }
  const refused: [number, Promise<{ status: number; text: string }>][] = [
    [400, getPatient({}, {})],
    [400, getPatient({}, { principal, input, more: 1 })],
    [400, getPatient({}, { principal: { ...principal, clinic: { ...principal.clinic, clinic_id: "n' or" } }, input })],
    [400, getPatient({}, { principal: { ...principal, key_id: 7 }, input })],
    [400, getPatient({}, { principal, input: { ...input, query: { limit: 25, after: 'p1' } } })],
    [400, getPatient({ 'x-deadline-ms': 'soon' })],
    [400, getPatient({ 'x-deadline-ms': '-1' })],
    [400, post(operate, '{"principal":', json)],
    [400, post(operate, '', json)],
    [415, post(operate, 'principal=1', { 'content-type': 'application/x-www-form-urlencoded' })],
    [415, post(operate, JSON.stringify({ principal, input }), { 'content-type': 'text/plain' })],
    [413, post(operate, `"${'x'.repeat(PORT_LIMITS.request_bytes)}"`, json)],
    [400, post(portPaths.authenticate, { key_hash: 'short' })],
    [400, post(portPaths.audit, { rows: [{}] })],
    [400, post(portPaths.files, { file: { clinic_id: 'north' }, range: null })],
    [
      400,
      post(portPaths.files, { file: { clinic_id: 'n', key_id: 'k', file_id: 'f' }, range: { first: -1, last: null } }),
    ],
    [404, post(portPaths.operation('patients.nothing'), { principal, input })],
    [404, post(portPaths.operation('constructor'), { principal, input })],
  ]
  for (const [expected, calling] of refused) {
    const { status, text } = await calling
    assert.equal(status, expected, text)
    assert.equal('slug' in JSON.parse(text), false, text)
  }
  assert.deepEqual(logged, [])
})

test('names that a client chose within a free object arrive as they are', async (t) => {
  let body: unknown
  const { getPatient } = setUp(t, async (_grant, given) => {
    body = (given as { body: unknown }).body
    return { data: {} }
  })
  const meta = '{"__proto__":{"a":1},"constructor":{"prototype":{}},"":null}'
  const { status } = await getPatient(
    {},
    `{"principal":${JSON.stringify(principal)},"input":{"params":{},"query":{"limit":1,"after":null},"idempotency_key":null,"body":{"meta":${meta}}}}`,
  )
  assert.equal(status, 200)
  assert.equal(JSON.stringify(body), `{"meta":${meta}}`)
})

test('an operation that has nothing to say answers null', async (t) => {
  const { getPatient } = setUp(t, async () => null)
  assert.equal((await getPatient()).text, 'null')
})

test('a key is looked up by its hash, and an unknown one is null', async (t) => {
  const { post } = setUp(t, answering, { authenticate: async (hash) => (hash.startsWith('a') ? principal : null) })
  const find = async (hash: string) => JSON.parse((await post(portPaths.authenticate, { key_hash: hash })).text)
  assert.deepEqual(await find('a'.repeat(64)), { principal })
  assert.deepEqual(await find('b'.repeat(64)), { principal: null })
})

test('audit rows are answered when they are stored, and not before', async (t) => {
  const { promise: storing, resolve: stored } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<unknown>()
  const { post } = setUp(t, answering, {
    audit: (rows) => {
      begin(rows)
      return storing
    },
  })
  const row = {
    at: '2026-07-12T06:30:00.000Z',
    clinic_id: 'north',
    key_id: 'key_1',
    operation: 'patients.get',
    surface: 'rest',
    resource_ids: ['p1'],
    count: 1,
    status: 200,
    request_id: 'req_1',
    address: '192.0.2.1',
  }
  let answered = false
  const posting = post(portPaths.audit, { rows: [row] }).then((answer) => {
    answered = true
    return answer
  })
  assert.deepEqual(await begun, [row])
  assert.equal(answered, false)
  stored()
  assert.equal((await posting).status, 204)
})

test('a file is streamed whole or in part, and told when it cannot be', async (t) => {
  const bytes = Buffer.from('0123456789')
  const { post } = setUp(t, answering, {
    openFile: async ({ file_id }, range) => {
      if (file_id === 'revoked') return { state: 'revoked' }
      if (file_id === 'missing') return { state: 'missing' }
      const first = range?.first ?? 0
      const last = range?.last ?? bytes.length - 1
      if (first >= bytes.length) return { state: 'unsatisfiable', size_bytes: bytes.length }
      const stream = Readable.from(bytes.subarray(first, last + 1))
      return { state: 'open', content_type: 'audio/wav', file_name: 'שיחה.wav', size_bytes: 10, first, last, stream }
    },
  })
  const open = (file_id: string, range: object | null) =>
    post(portPaths.files, { file: { clinic_id: 'north', key_id: 'key_1', file_id }, range })

  const whole = await open('f1', null)
  assert.equal(whole.status, 200)
  assert.equal(whole.text, '0123456789')
  assert.equal(whole.headers['content-length'], '10')
  assert.equal(whole.headers['content-type'], 'audio/wav')
  assert.equal(decodeURIComponent(String(whole.headers['x-file-name'])), 'שיחה.wav')

  const part = await open('f1', { first: 2, last: 4 })
  assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, '234', 'bytes 2-4/10'])

  for (const [file_id, first, status, body] of [
    ['missing', 0, 404, { state: 'missing' }],
    ['revoked', 0, 410, { state: 'revoked' }],
    ['f1', 10, 416, { state: 'unsatisfiable', size_bytes: 10 }],
  ] as const) {
    const refused = await open(file_id, { first, last: null })
    assert.deepEqual([refused.status, JSON.parse(refused.text)], [status, body])
  }
})

test('a file whose source breaks ends the connection, so that nobody takes it for whole', async (t) => {
  const { app } = setUp(t, answering, {
    openFile: async () => ({
      state: 'open',
      content_type: 'audio/wav',
      file_name: 'a.wav',
      size_bytes: 100_000,
      first: 0,
      last: 99_999,
      stream: Readable.from(
        (async function* () {
          yield Buffer.alloc(50_000)
          throw new Error('disk')
        })(),
      ),
    }),
  })
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const body = JSON.stringify({ file: { clinic_id: 'north', key_id: 'key_1', file_id: 'f1' }, range: null })
  const socket = connect(Number(address.port), '127.0.0.1')
  let received = 0
  socket.on('data', (chunk) => {
    received += chunk.length
  })
  socket.on('error', () => undefined)
  socket.write(
    `POST ${portPaths.files} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await new Promise((closed) => socket.on('close', closed))
  assert.ok(received < 100_000)
})

test('ready tells the version, and fails while the backend does', async (t) => {
  let fails = false
  const { app } = setUp(t, answering, {
    ready: async () => {
      if (fails) throw new Error('no database')
    },
  })
  const ready = () => app.inject({ url: portPaths.ready, headers: { authorization: `Bearer ${token}` } })
  assert.deepEqual((await ready()).json(), { version: PORT_VERSION })
  fails = true
  assert.equal((await ready()).statusCode, 500)
})
