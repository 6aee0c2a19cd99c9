// Several backends: each has its own breaker. No answer is lost if one of them stops or cannot be reached. It gets calls again when it returns.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { PORT_LIMITS, portForms } from '@clinic-data/contract/port'
import { readJson } from '@clinic-data/contract/port-answer'
import { Backends, type BackendsOptions } from '../src/http-backend/backends.ts'
import { whole } from '../src/http-backend/read-answer.ts'
import { type VendorBackend, vendorBackend } from './vendor-backend.ts'

const log = { warn: () => undefined, info: () => undefined }
const read = whole(readJson(portForms.ready))
const READY = { status: 200, body: { version: 1 } }
const DRAINING = { ...READY, headers: { 'x-draining': '1' } }

async function setUp(t: TestContext, count: number) {
  const vendors: VendorBackend[] = []
  for (let n = 0; n < count; n++) vendors.push(await vendorBackend())
  for (const vendor of vendors) vendor.answer = () => READY
  const urls = vendors.map(({ port }) => `http://127.0.0.1:${port}`)
  const backends = of(t, { urls })
  t.after(() => Promise.all(vendors.map((vendor) => vendor.close())))
  const [one, other] = vendors as [VendorBackend, VendorBackend]
  return { one, other, backends }
}

function of(t: TestContext, options: Pick<BackendsOptions, 'urls' | 'resolve'>): Backends {
  const backends = new Backends({ ...options, token: 'x'.repeat(32), log, breakMs: 60_000 })
  t.after(() => backends.destroy())
  return backends
}

const call = (backends: Backends, isRepeatable = false) => {
  const deadline = performance.now() + PORT_LIMITS.deadline_ms
  return backends.call({ method: 'POST', path: '/port/x', body: '{}', deadline, isRepeatable }, read)
}

const callsOf = ({ received }: VendorBackend) => received.filter(({ path }) => path === '/port/x').length

test('calls go to all of them', async (t) => {
  const { one, other, backends } = await setUp(t, 2)
  await Promise.all(Array.from({ length: 40 }, () => call(backends)))
  assert.deepEqual([callsOf(one), callsOf(other)], [20, 20])
})

test('a backend that says it is about to stop gets no more calls, before it refuses any', async (t) => {
  const { one, other, backends } = await setUp(t, 2)
  one.answer = () => DRAINING
  while (callsOf(one) === 0) await call(backends)
  const before = callsOf(other)
  for (let n = 0; n < 30; n++) await call(backends)
  assert.deepEqual([callsOf(one), callsOf(other)], [1, before + 30])
})

test('an answer to a call from before the announcement does not bring the backend back', async (t) => {
  const { one, other, backends } = await setUp(t, 2)
  const { promise: held, resolve } = Promise.withResolvers<ServerResponse>()
  one.answer = () => resolve
  let early: Promise<unknown>
  let response: ServerResponse | null
  // A call that goes to the other one is answered.
  do {
    early = call(backends)
    response = await Promise.race([held, early.then(() => null)])
  } while (response === null)
  one.answer = () => DRAINING
  // It has the early call, so of three calls at once one goes there.
  while (callsOf(one) === 1) await Promise.all([call(backends), call(backends), call(backends)])
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(READY.body))
  await early
  const before = callsOf(other)
  for (let n = 0; n < 10; n++) await call(backends)
  assert.deepEqual([callsOf(one), callsOf(other)], [2, before + 10])
})

test('a draining backend is still asked when there is no other', async (t) => {
  const { one, other, backends } = await setUp(t, 2)
  one.answer = () => DRAINING
  other.answer = () => DRAINING
  for (let n = 0; n < 10; n++) await call(backends)
  assert.equal(callsOf(one) + callsOf(other), 10)
})

test('a backend that returns after a stop gets calls again', async (t) => {
  const { one, backends } = await setUp(t, 2)
  one.answer = () => DRAINING
  while (callsOf(one) === 0) await call(backends)
  one.answer = () => READY
  while (callsOf(one) === 1) await call(backends).then(() => delay(10))
})

test('a call that reached no backend is repeated at another, even a write, with any number of backends', async (t) => {
  const { one, other, backends } = await setUp(t, 2)
  await one.close()
  for (let n = 0; n < 100; n++) await call(backends)
  assert.deepEqual([callsOf(one), callsOf(other)], [0, 100])
})

test('a read that broke off is repeated elsewhere, a write is not', async (t) => {
  const { one, other, backends } = await setUp(t, 2)
  one.answer = () => (response) => response.destroy()
  while (callsOf(one) < 2) await call(backends, true)
  let failures = 0
  while (callsOf(one) < 5) await call(backends).catch(() => failures++)
  assert.equal(failures, 3)
  assert.ok(callsOf(other) > 0)
})

test('each has its own breaker: a failed backend gets no calls, and the other answers all', async (t) => {
  const { one, other, backends } = await setUp(t, 2)
  one.answer = () => ({ status: 503 })
  let failures = 0
  while (callsOf(one) < 5) await call(backends).catch(() => failures++)
  assert.equal(failures, 5)
  const before = callsOf(other)
  await Promise.all(Array.from({ length: 50 }, () => call(backends)))
  assert.deepEqual([callsOf(one), callsOf(other)], [5, before + 50])
})

test('a name with several addresses is as many backends, and each look-up adds new ones and drops lost ones', async (t) => {
  const backend = await vendorBackend()
  backend.answer = () => READY
  t.after(() => backend.close())
  // All of 127/8 is this machine. Only the first of these addresses has a listener on the port.
  let addresses = ['127.0.0.2', '127.0.0.1', '127.0.0.3']
  const looked: string[] = []
  const resolve = async (name: string) => {
    looked.push(name)
    return addresses.map((address) => ({ address, family: 4 }))
  }
  const backends = of(t, { urls: [`http://backend.test:${backend.port}`], resolve })
  for (let n = 0; n < 20; n++) await call(backends)
  assert.deepEqual([callsOf(backend), looked], [20, ['backend.test']])
  assert.equal(backend.received[0]?.headers.host, `backend.test:${backend.port}`)

  t.mock.method(performance, 'now', advancing(performance.now.bind(performance), 6_000))
  addresses = ['127.0.0.2', '127.0.0.3']
  await call(backends)
  assert.deepEqual(looked, ['backend.test', 'backend.test'])
  while (
    await call(backends).then(
      () => true,
      () => false,
    )
  )
    await delay(1)
})

function advancing(now: () => number, byMs: number): () => number {
  return () => now() + byMs
}

test('ready as long as one of them is', async (t) => {
  const { one, other, backends } = await setUp(t, 2)
  const probe = () => {
    const deadline = performance.now() + PORT_LIMITS.deadline_ms
    return backends.probe({ method: 'GET', path: '/port/ready', deadline, isRepeatable: false }, read)
  }
  one.answer = () => ({ status: 503 })
  assert.deepEqual(await probe(), { version: 1 })
  other.answer = () => ({ status: 503 })
  await assert.rejects(probe())
})
