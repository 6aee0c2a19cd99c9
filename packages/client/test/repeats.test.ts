// The failures that the client repeats, and the pauses. The server counts the requests.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { problems } from '@clinic-data/contract'
import fc from 'fast-check'
import { ClinicDataClient, ConnectionError, ProblemError, TimeoutError, UnexpectedAnswerError } from '../src/client.ts'
import { problemErrors } from '../src/errors.ts'
import { operationTable } from '../src/generated/operation-table.ts'
import { pauseBeforeRetry, retryAfterMs } from '../src/retry.ts'
import { problem, type Step, scriptedServer } from './scripted-server.ts'

const server = await scriptedServer()
const pauses: number[] = []
const apiKey = `sk_live_${'x'.repeat(10)}`
const client = new ClinicDataClient({
  apiKey,
  baseUrl: server.url,
  pause: async (ms) => void pauses.push(ms),
})

beforeEach(() => {
  server.requests.length = 0
  pauses.length = 0
})

async function failing(steps: Step[], call: () => Promise<unknown>): Promise<unknown> {
  server.script = steps
  return call().then(
    () => assert.fail('it did not fail'),
    (error) => error,
  )
}

const read = () => client.me.get()
const pay = () => client.payments.create('p1', { amount: 1, method_type: 'cash' })

for (const [slug, [status]] of Object.entries(problems)) {
  const isRepeated = [429, 500, 502, 503].includes(status)
  test(`${slug} is an error of its own class, after ${isRepeated ? 'three repeats' : 'no repeat'}`, async () => {
    const error = await failing([problem(slug, status, { detail: 'Do this.' })], read)
    assert.ok(error instanceof ProblemError)
    assert.equal(error.constructor, problemErrors[slug as keyof typeof problemErrors])
    assert.equal(error.name, error.constructor.name)
    assert.deepEqual(
      [error.status, error.code, error.message, error.request_id, error.problem.title],
      [status, slug, 'Do this. (request_id req_1)', 'req_1', slug],
    )
    assert.equal(server.requests.length, isRepeated ? 4 : 1)
  })
}

test('a problem kind of a later version is a ProblemError', async () => {
  const error = await failing([problem('moved-to-another-clinic', 418, { code: 'moved-to-another-clinic' })], read)
  assert.ok(error instanceof ProblemError)
  assert.deepEqual([error.constructor, error.code], [ProblemError, 'moved-to-another-clinic'])
})

test('a read is repeated after a connection that broke at any point', async () => {
  for (const step of ['reset', 'truncate'] as const) {
    server.script = [step, { body: '{"data":{"clinic_id":"c"}}' }]
    assert.equal((await read()).data.clinic_id, 'c')
  }
  assert.equal(server.requests.length, 4)
})

test('a write that takes an Idempotency-Key is repeated under the same key, and each call has its own', async () => {
  server.script = ['reset', problem('internal-error', 500), 'truncate', { status: 201 }]
  await pay()
  server.script = [{ status: 201 }]
  await pay()
  const keys = server.requests.map(({ headers }) => String(headers['idempotency-key']))
  assert.deepEqual(new Set(keys.slice(0, 4)).size, 1)
  assert.notEqual(keys[0], keys[4])
  for (const key of keys) assert.match(key, /^[\x21-\x7e]{16,255}$/)
  await client.payments.create('p1', { amount: 1, method_type: 'cash' }, { idempotencyKey: 'order-17' })
  assert.equal(server.requests[5]?.headers['idempotency-key'], 'order-17')
})

test('a change that leaves the same state however often it is sent is repeated without a key', async () => {
  server.script = ['reset', problem('internal-error', 500), { body: '{"data":{"id":"wh1"}}' }]
  assert.equal((await client.webhooks.update('wh1', { description: 'CRM' })).data.id, 'wh1')
  assert.deepEqual(
    server.requests.map(({ method, body, headers }) => [method, body, headers['idempotency-key']]),
    Array(3).fill(['PATCH', '{"description":"CRM"}', undefined]),
  )
})

test('a request that takes effect each time is repeated only when it was refused', async () => {
  const eachTime = Object.entries(operationTable).filter(([, { effect }]) => effect === 'each time')
  assert.ok(eachTime.length > 0)
  for (const [id, { path }] of eachTime) {
    const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x']))
    const ask = () => client.request(id, { params, body: {} })
    for (const step of ['reset', problem('service-unavailable', 503), problem('internal-error', 500)] as const) {
      server.requests.length = 0
      await failing([step], ask)
      assert.equal(server.requests.length, 1, id)
      assert.equal(server.requests[0]?.headers['idempotency-key'], undefined)
    }
    server.script = [problem('rate-limited', 429), { status: 202 }]
    await ask()
    assert.equal(server.requests.length, 3, id)
  }
})

test('a conflict is waited out only when our own previous attempt is still under way', async () => {
  const underWay = problem('conflict', 409, {}, { 'retry-after': '1' })
  server.script = ['reset', underWay, underWay, { status: 201 }]
  await pay()
  assert.equal(server.requests.length, 4)
  for (const script of [[underWay], ['reset' as const, problem('conflict', 409)]]) {
    server.requests.length = 0
    await failing([...script], pay)
    assert.equal(server.requests.length, script.length)
  }
})

test('Retry-After in seconds or as a date is waited for up to a minute, longer ones are left to the caller', async () => {
  server.script = [problem('rate-limited', 429, {}, { 'retry-after': '17' }), {}]
  await read()
  assert.ok((pauses[0] ?? 0) >= 17_000 && (pauses[0] ?? 0) <= 17_500, `${pauses[0]}`)
  const now = Date.parse('2026-07-12T06:30:00Z')
  assert.equal(retryAfterMs('Sun, 12 Jul 2026 06:30:09 GMT', now), 9000)
  assert.equal(retryAfterMs('Sun, 12 Jul 2026 06:29:00 GMT', now), 0)
  assert.equal(retryAfterMs('soon', now), null)
  server.requests.length = 0
  const error = await failing([problem('rate-limited', 429, { retry_after: 61 }, { 'retry-after': '61' })], read)
  assert.deepEqual([server.requests.length, (error as ProblemError).problem.retry_after], [1, 61])
})

test('the pause is a random part of a backoff that doubles up to a bound', () => {
  const error = new ConnectionError('broken')
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempts, part) => {
      const pause = pauseBeforeRetry({ error, retryAfterMs: null, attempts, isRepeatable: true }, () => part)
      const backoff = Math.min(8000, 500 * 2 ** (attempts - 1))
      return pause !== null && pause <= Math.ceil(part * backoff) && pause >= Math.floor(part * backoff)
    }),
  )
})

test('repeats can be turned off for the client and for a call', async () => {
  await failing([problem('internal-error', 500)], () => client.me.get({}, { maxRetries: 0 }))
  assert.equal(server.requests.length, 1)
  const strict = new ClinicDataClient({ apiKey, baseUrl: server.url, maxRetries: 1, pause: async () => undefined })
  await failing([problem('internal-error', 500)], () => strict.me.get())
  assert.equal(server.requests.length, 3)
})

test('an attempt that takes too long is a TimeoutError and is repeated like a broken connection', async () => {
  const error = await failing(['hang'], () => client.me.get({}, { timeoutMs: 30, maxRetries: 1 }))
  assert.ok(error instanceof TimeoutError && error instanceof ConnectionError)
  let attempts = 0
  const fetch = () => {
    attempts += 1
    return new Promise<Response>(() => undefined)
  }
  const deaf = new ClinicDataClient({ apiKey, baseUrl: server.url, fetch, pause: async () => undefined })
  await assert.rejects(deaf.me.get({}, { timeoutMs: 5, maxRetries: 1 }), TimeoutError)
  assert.equal(attempts, 2)
})

test("a signal ends a call before, during and between attempts, with the signal's reason", async () => {
  const reason = new Error('the user has gone')
  await assert.rejects(client.me.get({}, { signal: AbortSignal.abort(reason) }), reason)
  assert.equal(server.requests.length, 0)

  const during = new AbortController()
  const hanging = failing(['hang'], () => client.me.get({}, { signal: during.signal }))
  await server.received(1)
  during.abort(reason)
  assert.equal(await hanging, reason)

  const between = new AbortController()
  const waiting = new ClinicDataClient({ apiKey, baseUrl: server.url })
  const paused = failing([problem('rate-limited', 429, {}, { 'retry-after': '50' })], () =>
    waiting.me.get({}, { signal: between.signal }),
  )
  await server.received(2)
  setImmediate(() => between.abort(reason))
  assert.equal(await paused, reason)
  assert.equal(server.requests.length, 2)
})

test("an answer that is not the service's is reported: a proxy's page, truncated JSON, another kind of body", async () => {
  const html = { 'content-type': 'text/html' }
  for (const [step, requests] of [
    [{ body: '<html>', headers: html }, 1],
    [{ body: '{"data":' }, 1],
    [{ status: 404, body: '<html>', headers: html }, 1],
    [{ status: 502, body: '<html>', headers: html }, 4],
    [{ status: 500, body: '{"message":"boom"}' }, 4],
  ] as const) {
    server.requests.length = 0
    const error = await failing([step], read)
    assert.ok(error instanceof UnexpectedAnswerError)
    assert.equal(error.status, 'status' in step ? step.status : 200)
    assert.equal(server.requests.length, requests)
  }
})
