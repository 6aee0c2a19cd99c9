// A remote backend that fails: the result of each network fault, the deadlines, the retries, the breaker and the limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { context, getPatient, LEAK, ok, patient, problem, setUp } from './remote-backend.ts'
import type { Answer } from './vendor-backend.ts'

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

test('writes and audit rows are never repeated', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ({ status: 503 })
  await assert.rejects(at.backend.audit([]), problem('service-unavailable'))
  assert.equal(at.vendor.received.length, 1)
  await assert.rejects(getPatient(at), problem('service-unavailable'))
  assert.equal(at.vendor.received.length, 3, 'a read was')
})

test('at most one call in ten is ever repeated', async (t) => {
  const at = await setUp(t)
  let calls = 0
  // Every third call succeeds, so that the breaker does not open.
  at.vendor.answer = () => (++calls % 3 === 0 ? ok : { status: 503 })
  for (let n = 0; n < 200; n++) await getPatient(at).catch(problem('service-unavailable'))
  assert.ok(at.vendor.received.length <= 200 + 10 + 200 / 10, `${at.vendor.received.length} calls`)
  assert.ok(at.vendor.received.length > 200)
})

test('a call to a late backend ends at its deadline', async (t) => {
  const at = await setUp(t)
  for (const fault of [{ kind: 'black hole' }, { kind: 'delay', ms: 5000 }] as const) {
    at.proxy.fault = fault
    const startedAt = performance.now()
    await assert.rejects(getPatient(at, context(150)), problem('service-unavailable'))
    const took = performance.now() - startedAt
    assert.ok(took >= 149 && took < 4000, `${took} ms`)
  }
})

test('a slow backend is waited for within the deadline', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ok
  at.proxy.fault = { kind: 'delay', ms: 100 }
  assert.deepEqual(await getPatient(at), { data: patient })
})

test('a call is not sent after its deadline', async (t) => {
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
  const calls = at.vendor.received.length
  for (let n = 0; n < 20; n++) await assert.rejects(getPatient(at), problem('service-unavailable'))
  assert.equal(at.vendor.received.length, calls)

  t.mock.timers.tick(60_000)
  await assert.rejects(at.backend.audit([]), problem('service-unavailable'))
  await assert.rejects(getPatient(at), problem('service-unavailable'))
  assert.equal(at.vendor.received.length, calls + 1, 'one call tried, and failed')

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
  assert.ok(performance.now() - startedAt < 4000)
  release(ok)
  await first
  assert.deepEqual(await getPatient(at), { data: patient })
  assert.equal(at.vendor.received.length, 2, 'the one given up was never sent')
})
