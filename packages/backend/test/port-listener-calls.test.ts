// The calls of the port: their forms, key look-ups, audit rows, files and readiness.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { PORT_LIMITS, PORT_VERSION, portPaths } from '@clinic-data/contract/port'
import { answering, input, principal, setUp, token } from './port-call.ts'

test('a call of another form is refused as a fault of the gateway', async (t) => {
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
    // A backend that cannot rehearse a write does not do it either.
    [404, post(portPaths.rehearsal('payments.create'), { principal, input })],
  ]
  for (const [expected, calling] of refused) {
    const { status, text } = await calling
    assert.equal(status, expected, text)
    assert.equal('slug' in JSON.parse(text), false, text)
  }
  assert.deepEqual(logged, [])
})

test('a filter that a later version has added is refused, and the handler is not called', async (t) => {
  const { post } = setUp(t, async () => ({ data: [], next: null }))
  const listing = (filters: unknown) => post(portPaths.operation('patients.list'), { principal, input, filters })
  assert.equal((await listing(['owes_more_than'])).status, 200)
  for (const filters of [['shoe_size'], ['owes_more_than', 'shoe_size'], ['constructor'], 'owes_more_than'])
    assert.equal((await listing(filters)).status, 400)
})

test('names that a client chose within a free object arrive unchanged', async (t) => {
  let body: unknown
  const { getPatient } = setUp(t, async (_grant, content) => {
    body = (content as { body: unknown }).body
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

test('an operation without a result answers null', async (t) => {
  const { getPatient } = setUp(t, async () => null)
  assert.equal((await getPatient()).text, 'null')
})

test('to a gateway that would not compare its networks there is no bound key, alone or among other calls', async (t) => {
  const bound = { ...principal, networks: ['203.0.113.0/24'] }
  const { post } = setUp(t, answering, { authenticate: async (hash) => (hash.startsWith('a') ? bound : principal) })
  const body = { key_hash: 'a'.repeat(64) }
  const comparing = { 'x-compares-networks': '1' }
  const call = { path: portPaths.authenticate, deadline_ms: 1_000, body }
  const found = async (path: string, sent: object, headers = {}) => (await post(path, sent, headers)).text
  for (const [headers, expected] of [
    [{}, null],
    [{ 'x-compares-networks': '0' }, null],
    [comparing, bound],
  ] as const) {
    assert.deepEqual(JSON.parse(await found(portPaths.authenticate, body, headers)), { principal: expected })
    const lines = await found(portPaths.calls, { calls: [call] }, headers)
    assert.equal(lines.includes('203.0.113.0/24'), expected !== null, lines)
  }
  const free = await found(portPaths.authenticate, { key_hash: 'b'.repeat(64) })
  assert.deepEqual(JSON.parse(free), { principal })
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

test('a file is streamed whole or in part, and a refusal says why', async (t) => {
  const bytes = Buffer.from('0123456789')
  const { post } = setUp(t, answering, {
    openFile: async ({ file_id }, range, address) => {
      if (file_id === 'bound') return { state: address === null ? 'revoked' : 'elsewhere' }
      if (file_id === 'revoked') return { state: 'revoked' }
      if (file_id === 'missing') return { state: 'missing' }
      const first = range?.first ?? 0
      const last = range?.last ?? bytes.length - 1
      if (first >= bytes.length) return { state: 'unsatisfiable', size_bytes: bytes.length }
      const stream = Readable.from(bytes.subarray(first, last + 1))
      return { state: 'open', content_type: 'audio/wav', file_name: 'שיחה.wav', size_bytes: 10, first, last, stream }
    },
  })
  const open = (file_id: string, range: object | null, headers = {}) =>
    post(portPaths.files, { file: { clinic_id: 'north', key_id: 'key_1', file_id }, range }, headers)

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
  assert.equal((await open('bound', null)).status, 410)
  const elsewhere = await open('bound', null, { 'x-client-address': '198.51.100.7' })
  assert.deepEqual([elsewhere.status, elsewhere.text], [403, '{"state":"elsewhere"}'])
})

test('if the source of a file breaks, the connection ends, so the file does not look complete', async (t) => {
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

test('ready reports the version, and fails while the backend does', async (t) => {
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

test('a rehearsal goes to the rehearsals alone, with its own scope, and only for the writes that have one', async (t) => {
  const rehearse = async () => ({ data: { id: 'pay1' } })
  const { post } = setUp(t, () => assert.fail('the handler was called'), { rehearse })
  const ask = async (id: string, scopes: string[]) => {
    const { status, text } = await post(portPaths.rehearsal(id), { principal: { ...principal, scopes }, input })
    return [status, JSON.parse(text).slug ?? JSON.parse(text).data]
  }
  assert.deepEqual(await ask('payments.create', ['payments:write']), [200, { id: 'pay1' }])
  assert.deepEqual(await ask('payments.create', ['payments:read']), [403, 'forbidden'])
  assert.deepEqual(await ask('patients.get', ['patients:read']), [404, undefined])
})
