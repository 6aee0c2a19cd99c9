// A remote backend: what is sent, which answers are accepted, and the result of each network fault.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import {
  type CallContext,
  Grant,
  type HandlerInput,
  type OperationId,
  type Operations,
  operations,
  type Principal,
  Problem,
  type ProblemSlug,
} from '@clinic-data/contract'
import { PORT_LIMITS } from '@clinic-data/contract/port'
import { httpBackend } from '../src/http-backend/http-backend.ts'
import { faultProxy } from './fault-proxy.ts'
import { type Answer, vendorBackend } from './vendor-backend.ts'

/** A text from a backend's inside, or about a patient. */
const LEAK = 'only-for-inside'

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
  scopes: ['patients:read', 'calls:read', 'availability:read'],
  rate_limit: null,
  expires_at: null,
}

const patient = { id: 'p1', first_name: LEAK }
const input = {
  params: { id: 'p1' },
  query: { response_format: 'concise', limit: 25, after: null },
  body: undefined,
  idempotency_key: null,
}

async function setUp(t: TestContext, options: { connections?: number; waiting?: number; path?: string } = {}) {
  const { path = '', ...limits } = options
  const vendor = await vendorBackend()
  const proxy = await faultProxy(vendor.port)
  const token = randomBytes(24).toString('hex')
  const logged: string[] = []
  const log = {
    warn: (_: object, line: string) => logged.push(line),
    info: (_: object, line: string) => logged.push(line),
  }
  const backend = httpBackend({
    urls: [`http://127.0.0.1:${proxy.port}${path}`],
    token,
    log: log as never,
    breakMs: 60_000,
    ...limits,
  })
  t.after(async () => {
    await proxy.close()
    await vendor.close()
    await backend.close()
  })
  return { vendor, proxy, backend, token, logged }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

const context = (ms = 5000): CallContext => ({ request_id: 'req_1', deadline: performance.now() + ms })

function getPatient({ backend }: Pick<SetUp, 'backend'>, within = context()) {
  return backend.handlers['patients.get'](
    Grant.authorize(principal, operations['patients.get']),
    input as unknown as HandlerInput<Operations['patients.get']>,
    within,
  )
}

function call({ backend }: SetUp, id: OperationId) {
  const handler = backend.handlers[id as 'patients.get']
  const grant = Grant.authorize({ ...principal, scopes: [operations[id].scope ?? 'patients:read'] }, operations[id])
  return handler(grant, input as unknown as HandlerInput<Operations['patients.get']>, context())
}

/** A problem that holds nothing of the backend's text, not even in its cause, and in public nothing of the network. */
function problem(slug: ProblemSlug) {
  return (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.slug, slug)
    const text = JSON.stringify([error.message, error.members])
    for (const word of ['127.0.0.1', 'ECONN', 'UND_ERR', 'HPE_']) assert.ok(!text.includes(word), text)
    assert.ok(!inspect(error, { depth: 10 }).includes(LEAK))
    if (slug === 'service-unavailable') assert.ok((error.members.retry_after ?? 0) >= 1)
    return true
  }
}

const ok: Answer = { status: 200, body: { data: patient } }

test('a call carries the token, the request id, its remaining time, the principal and the input', async (t) => {
  const at = await setUp(t, { path: '/clinic/' })
  at.vendor.answer = () => ok
  assert.deepEqual(await getPatient(at, context(4000)), { data: patient })
  const [{ method, path, headers, body } = assert.fail()] = at.vendor.received
  assert.equal(`${method} ${path}`, 'POST /clinic/port/operations/patients.get')
  assert.equal(headers.authorization, `Bearer ${at.token}`)
  assert.equal(headers['x-request-id'], 'req_1')
  const remaining = Number(headers['x-deadline-ms'])
  assert.ok(remaining > 3000 && remaining <= 4000, `${remaining}`)
  assert.deepEqual(body, JSON.parse(JSON.stringify({ principal, input })))
})

test('a key is looked up by its hash, and a scope of a later contract grants nothing', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = ({ body }) => ({
    status: 200,
    body: {
      principal: (body as { key_hash: string }).key_hash.startsWith('a')
        ? { ...principal, scopes: ['patients:read', 'everything:write'], further: 1 }
        : null,
    },
  })
  assert.deepEqual((await at.backend.authenticate('a'.repeat(64)))?.scopes, ['patients:read'])
  assert.equal(await at.backend.authenticate('b'.repeat(64)), null)
})

test('a principal without a field that every statement needs is not an answer', async (t) => {
  const at = await setUp(t)
  for (const wrong of [
    { ...principal, clinic: { ...principal.clinic, clinic_id: "x'; --" } },
    { ...principal, clinic: undefined },
    { ...principal, scopes: 'patients:read' },
    { ...principal, expires_at: 'tomorrow' },
    'yes',
    undefined,
  ]) {
    at.vendor.answer = () => ({ status: 200, body: { principal: wrong } })
    await assert.rejects(at.backend.authenticate('a'.repeat(64)), problem('upstream-error'))
  }
})

test('each shape of answer passes unchanged, and another shape is 502', async (t) => {
  const at = await setUp(t)
  const file = { file_id: 'f1', content_type: 'audio/wav', file_name: 'c1.wav', size_bytes: 9 }
  const cases: [OperationId, good: unknown, bad: unknown[]][] = [
    ['patients.get', { data: patient }, [null, [], {}, 'text', { rows: [] }, { data: patient, status: 404 }]],
    [
      'patients.list',
      { data: [patient], next: ['p1'] },
      [{ data: patient, next: null }, { data: [] }, { data: [], next: 'p1' }, { data: [], next: [1] }],
    ],
    ['branches.list' as OperationId, { data: [] }, [null, {}]],
    [
      'calls.recording.get',
      { data: file },
      [{ data: { ...file, file_id: 7 } }, { data: { ...file, size_bytes: -1 } }, { data: null }],
    ],
  ]
  for (const [id, good, bad] of cases) {
    if (!(id in at.backend.handlers)) continue
    at.vendor.answer = () => ({ status: 200, body: good })
    assert.deepEqual(await call(at, id), good)
    for (const body of bad) {
      at.vendor.answer = () => ({ status: 200, body: JSON.stringify(body) })
      await assert.rejects(call(at, id), problem('upstream-error'), `${id} ${JSON.stringify(body)}`)
    }
  }
})

test('invalid JSON, another status or a redirect is 502', async (t) => {
  const at = await setUp(t)
  for (const answer of [
    { status: 200, body: `<html>${LEAK}</html>` },
    { status: 200, body: '' },
    { status: 201, body: { data: patient } },
    { status: 301, headers: { location: `http://127.0.0.1:1/${LEAK}` } },
    { status: 401, body: { slug: 'unauthorized', detail: LEAK, members: {} } },
    { status: 404, body: `no such route: ${LEAK}` },
    { status: 418, body: { slug: 'teapot', detail: LEAK, members: {} } },
    { status: 429, body: { slug: 'rate-limited', detail: LEAK, members: { retry_after: 9 } } },
    { status: 500, body: { stack: LEAK } },
    { status: 400, body: { slug: 'not-found', detail: LEAK, members: {} } },
  ]) {
    at.vendor.answer = () => answer
    await assert.rejects(getPatient(at), problem('upstream-error'))
  }
})

test('a problem that the backend chose reaches the client in its words, with the members that clients know', async (t) => {
  const at = await setUp(t)
  const errors = [{ pointer: '#/phone', code: 'rule', detail: 'is taken' }]
  at.vendor.answer = () => ({
    status: 422,
    body: {
      slug: 'unprocessable',
      detail: 'The phone is taken.',
      members: { errors, stack: LEAK },
      stack: LEAK,
    },
  })
  await assert.rejects(getPatient(at), (error) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.slug, error.message, error.members], ['unprocessable', 'The phone is taken.', { errors }])
    return true
  })
})

test('of a problem of the backend itself only the kind reaches the client', async (t) => {
  const at = await setUp(t)
  for (const [slug, status] of [
    ['internal-error', 500],
    ['upstream-error', 502],
  ] as const) {
    at.vendor.answer = () => ({ status, body: { slug, detail: LEAK, members: {} } })
    await assert.rejects(getPatient(at), problem(slug))
  }
  at.vendor.answer = () => ({
    status: 503,
    body: { slug: 'service-unavailable', detail: LEAK, members: { retry_after: 7 } },
  })
  await assert.rejects(
    getPatient(at),
    (error) => problem('service-unavailable')(error) && (error as Problem).members.retry_after === 7,
  )
})

test('a problem that only operations can have does not come from an authentication', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ({ status: 404, body: { slug: 'not-found', detail: LEAK, members: {} } })
  await assert.rejects(at.backend.authenticate('a'.repeat(64)), problem('upstream-error'))
})

test('an answer over the limit is 502 and is not read to its end', async (t) => {
  const at = await setUp(t)
  let written = 0
  at.vendor.answer = () => (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536))) written += 65_536
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }
  await assert.rejects(getPatient(at), problem('upstream-error'))
  assert.ok(written < 4 * PORT_LIMITS.response_bytes)
})

test('a refused connection is 503', async (t) => {
  const at = await setUp(t)
  await at.proxy.close()
  await assert.rejects(getPatient(at), problem('service-unavailable'))
})

test('bytes that are not HTTP are 502', async (t) => {
  const at = await setUp(t)
  at.proxy.fault = { kind: 'garbage', bytes: `SSH-2.0-OpenSSH_9.6 ${LEAK}\r\n` }
  await assert.rejects(getPatient(at), problem('upstream-error'))
})

test('a read whose connection breaks once is repeated and answered', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ok
  for (const fault of [{ kind: 'reset' }, { kind: 'truncate', bytes: 20 }, { kind: 'truncate', bytes: 170 }] as const) {
    at.proxy.once.push(fault)
    assert.deepEqual(await getPatient(at), { data: patient })
  }
  at.vendor.answer = () => (at.vendor.received.length % 2 === 0 ? { status: 503 } : ok)
  assert.deepEqual(await getPatient(at), { data: patient })
  assert.deepEqual(await getPatient(at), { data: patient })
})

test('a truncated answer is never taken for a whole one', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ok
  for (const bytes of [1, 20, 100, 170, 180]) {
    at.proxy.once.push({ kind: 'truncate', bytes }, { kind: 'truncate', bytes })
    await assert.rejects(getPatient(at), problem('service-unavailable'))
    assert.deepEqual(await getPatient(at), { data: patient }, 'the next call has a sound connection')
  }
})

test('neither a write nor audit rows are ever repeated', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ({ status: 503 })
  await assert.rejects(at.backend.audit([]), problem('service-unavailable'))
  assert.equal(at.vendor.received.length, 1)
  await assert.rejects(getPatient(at), problem('service-unavailable'))
  assert.equal(at.vendor.received.length, 3, 'a read was')
})

test('at most one call in ten is repeated, whatever happens', async (t) => {
  const at = await setUp(t)
  let asked = 0
  // Every third call succeeds, so that the breaker does not open.
  at.vendor.answer = () => (++asked % 3 === 0 ? ok : { status: 503 })
  for (let n = 0; n < 200; n++) await getPatient(at).catch(problem('service-unavailable'))
  assert.ok(at.vendor.received.length <= 200 + 10 + 200 / 10, `${at.vendor.received.length} calls`)
  assert.ok(at.vendor.received.length > 200)
})

test('a backend that answers too late is given up at the deadline of the call', async (t) => {
  const at = await setUp(t)
  for (const fault of [{ kind: 'black hole' }, { kind: 'delay', ms: 5000 }] as const) {
    at.proxy.fault = fault
    const startedAt = performance.now()
    await assert.rejects(getPatient(at, context(150)), problem('service-unavailable'))
    const took = performance.now() - startedAt
    assert.ok(took >= 149 && took < 1500, `${took} ms`)
  }
})

test('a slow backend is waited for within the deadline', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ok
  at.proxy.fault = { kind: 'delay', ms: 100 }
  assert.deepEqual(await getPatient(at), { data: patient })
})

test('a call whose deadline has passed is not sent', async (t) => {
  const at = await setUp(t)
  await assert.rejects(getPatient(at, context(-1)), problem('service-unavailable'))
  assert.equal(at.vendor.received.length, 0)
})

test('after five failures in a row calls are refused at once until a trial call succeeds', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  const at = await setUp(t)
  await at.backend.audit([]).catch(() => undefined)
  at.vendor.answer = () => ({ status: 503 })
  for (let n = 0; n < 5; n++) await assert.rejects(at.backend.audit([]), problem('service-unavailable'))
  const asked = at.vendor.received.length
  for (let n = 0; n < 20; n++) await assert.rejects(getPatient(at), problem('service-unavailable'))
  assert.equal(at.vendor.received.length, asked)

  t.mock.timers.tick(60_000)
  await assert.rejects(at.backend.audit([]), problem('service-unavailable'))
  await assert.rejects(getPatient(at), problem('service-unavailable'))
  assert.equal(at.vendor.received.length, asked + 1, 'one call tried, and failed')

  t.mock.timers.tick(60_000)
  at.vendor.answer = () => ok
  assert.deepEqual(await getPatient(at), { data: patient })
  assert.deepEqual(await getPatient(at), { data: patient })
  assert.deepEqual(at.logged, [
    'the backend cannot be reached: calls are refused at once',
    'the backend cannot be reached: calls are refused at once',
    'the backend can be reached again',
  ])
})

test('while a trial call tests whether the backend is back, the others do not wait for it', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  const at = await setUp(t)
  at.vendor.answer = () => ({ status: 503 })
  for (let n = 0; n < 5; n++) await assert.rejects(at.backend.audit([]), problem('service-unavailable'))
  t.mock.timers.tick(60_000)
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: answer, resolve: release } = Promise.withResolvers<Answer>()
  at.vendor.answer = () => {
    arrive()
    return answer
  }
  const trying = getPatient(at)
  await arrived
  await assert.rejects(getPatient(at), problem('service-unavailable'))
  release(ok)
  assert.deepEqual(await trying, { data: patient })
  at.vendor.answer = () => ok
  assert.deepEqual(await getPatient(at), { data: patient })
})

test("a client's refusals and calls without time left do not open the breaker", async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ({
    status: 404,
    body: { slug: 'not-found', detail: 'No patient has this id.', members: {} },
  })
  for (let n = 0; n < 10; n++) await assert.rejects(getPatient(at), problem('not-found'))
  at.proxy.fault = { kind: 'black hole' }
  for (let n = 0; n < 10; n++) await assert.rejects(getPatient(at, context(5)), problem('service-unavailable'))
  at.proxy.fault = { kind: 'none' }
  at.vendor.answer = () => ok
  assert.deepEqual(await getPatient(at), { data: patient })
})

test('running and waiting calls are limited, and the next is refused at once', async (t) => {
  const at = await setUp(t, { connections: 2, waiting: 1 })
  const { promise: answer, resolve: release } = Promise.withResolvers<Answer>()
  at.vendor.answer = () => answer
  const calls = [getPatient(at), getPatient(at), getPatient(at)]
  await assert.rejects(getPatient(at), problem('service-unavailable'))
  release(ok)
  for (const answered of await Promise.all(calls)) assert.deepEqual(answered, { data: patient })
  assert.equal(at.vendor.received.length, 3)
  assert.ok(at.proxy.accepted <= 2)
})

test('a call that waits for its turn is given up at its deadline too', async (t) => {
  const at = await setUp(t, { connections: 1, waiting: 5 })
  const { promise: answer, resolve: release } = Promise.withResolvers<Answer>()
  at.vendor.answer = () => answer
  const first = getPatient(at)
  const startedAt = performance.now()
  await assert.rejects(getPatient(at, context(100)), problem('service-unavailable'))
  assert.ok(performance.now() - startedAt < 1500)
  release(ok)
  await first
  assert.deepEqual(await getPatient(at), { data: patient })
  assert.equal(at.vendor.received.length, 2, 'the one given up was never sent')
})

test('connections are kept', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ok
  for (let n = 0; n < 50; n++) await getPatient(at)
  assert.ok(at.proxy.accepted <= 2, `${at.proxy.accepted} connections for 50 calls`)
})

test('ready only accepts a backend that answers in this version of the port', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ({ status: 200, body: { version: 1 } })
  await at.backend.ready()
  at.vendor.answer = () => ({ status: 200, body: { version: 2 } })
  await assert.rejects(at.backend.ready(), /version 2/)
  at.vendor.answer = () => ({ status: 503 })
  await assert.rejects(at.backend.ready(), problem('service-unavailable'))
})
