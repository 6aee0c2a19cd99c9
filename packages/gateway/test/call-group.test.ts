// Several calls in one message: each has its own answer, deadline and failure, and a backend that knows no such messages gets none.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { PORT_LIMITS, portPaths } from '@clinic-data/contract/port'
import {
  context,
  getPatient,
  type input,
  ok,
  patient,
  principal,
  problem,
  type SetUp,
  setUp,
} from './remote-backend.ts'
import type { Received } from './vendor-backend.ts'

interface Message {
  calls: { path: string; deadline_ms: number; request_id?: string; body: { principal: object; input: typeof input } }[]
}

const TAKES = { 'x-takes-calls': '1' }
const FOUND = `200 ${JSON.stringify({ data: patient })}\n`

/** A backend that takes several calls in a message, once the gateway knows it. */
async function taking(at: SetUp, answer: (message: Message, response: ServerResponse) => void): Promise<void> {
  at.vendor.answer = ({ path, body }) =>
    path === portPaths.calls
      ? (response) => answer(body as Message, response.writeHead(200, TAKES))
      : { status: 200, body: { data: patient }, headers: TAKES }
  await getPatient(at)
  at.vendor.received.length = 0
}

const several = (at: SetUp, count: number) => Promise.allSettled(Array.from({ length: count }, () => getPatient(at)))
const everyLine = ({ calls }: Message) => calls.map((_, place) => `${place} ${FOUND}`).join('')
const pathsOf = (received: readonly Received[]) => received.map(({ path }) => path)

test('calls of one moment go in one message, each with its time, its request and its principal', async (t) => {
  const at = await setUp(t)
  await taking(at, (message, response) => response.end(everyLine(message)))
  const answers = await Promise.all([getPatient(at, context(4000)), getPatient(at, context(2000)), getPatient(at)])
  assert.deepEqual(answers, [{ data: patient }, { data: patient }, { data: patient }])
  assert.deepEqual(pathsOf(at.vendor.received), [portPaths.calls])
  const [{ headers, body } = assert.fail()] = at.vendor.received
  assert.equal(headers.authorization, `Bearer ${at.token}`)
  const [first = assert.fail(), second = assert.fail()] = (body as Message).calls
  assert.equal(first.path, portPaths.operation('patients.get'))
  assert.equal(first.request_id, 'req_1')
  assert.deepEqual(first.body.principal, principal)
  assert.deepEqual(first.body.input.params, { id: 'p1' })
  assert.ok(first.deadline_ms > 3000 && first.deadline_ms <= 4000, `${first.deadline_ms}`)
  assert.ok(second.deadline_ms > 1000 && second.deadline_ms <= 2000, `${second.deadline_ms}`)
})

test('a backend that does not say that it takes several calls gets each alone', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ok
  for (let round = 0; round < 2; round++) await several(at, 5)
  assert.deepEqual(new Set(pathsOf(at.vendor.received)), new Set([portPaths.operation('patients.get')]))
  assert.equal(at.vendor.received.length, 10)
})

test('a backend that has forgotten such messages gets each call alone, even writes', async (t) => {
  const at = await setUp(t)
  await taking(at, () => assert.fail('it no longer takes them'))
  at.vendor.answer = ({ path }) =>
    path === portPaths.calls ? { status: 404 } : path === portPaths.audit ? { status: 204 } : ok
  const [found] = await Promise.all([getPatient(at), at.backend.audit([])])
  assert.deepEqual(found, { data: patient })
  assert.deepEqual(pathsOf(at.vendor.received).sort(), [
    portPaths.audit,
    portPaths.calls,
    portPaths.operation('patients.get'),
  ])
})

test('a call has its answer as soon as its line arrives', async (t) => {
  const at = await setUp(t)
  const { promise: begun, resolve: begin } = Promise.withResolvers<ServerResponse>()
  await taking(at, (_, response) => {
    response.write(`1 ${FOUND}0 20`)
    begin(response)
  })
  let isFirstAnswered = false
  const first = getPatient(at).finally(() => {
    isFirstAnswered = true
  })
  assert.deepEqual(await getPatient(at), { data: patient })
  assert.equal(isFirstAnswered, false)
  const response = await begun
  response.end(`0 ${FOUND}`.slice('0 20'.length))
  assert.deepEqual(await first, { data: patient })
})

test('each call ends at its own deadline, and a problem is that of its call alone', async (t) => {
  const at = await setUp(t)
  const missing = JSON.stringify({ slug: 'not-found', detail: 'No patient has this id.', members: {} })
  const { promise: begun, resolve: begin } = Promise.withResolvers<ServerResponse>()
  await taking(at, (_, response) => {
    response.write(`2 404 ${missing}\n`)
    begin(response)
  })
  const [late, whole, refused] = [getPatient(at, context(150)), getPatient(at), getPatient(at)]
  await assert.rejects(refused, problem('not-found'))
  await assert.rejects(late, problem('service-unavailable'))
  const response = await begun
  response.end(`0 ${FOUND}1 ${FOUND}`)
  assert.deepEqual(await whole, { data: patient })
})

test('a message that no call waits for any more is given up', async (t) => {
  const at = await setUp(t)
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  await taking(at, (_, response) => response.once('close', close))
  await assert.rejects(getPatient(at, context(100)), problem('service-unavailable'))
  await closed
})

test('lines without a call, a status or an end are no answers', async (t) => {
  for (const lines of ['', `0 ${FOUND}`, `7 ${FOUND}1 ${FOUND}`, `0 ${FOUND}1 200`, `0 ${FOUND}x ${FOUND}`, '\n\n']) {
    const at = await setUp(t)
    await taking(at, (_, response) => response.end(lines))
    const [first, second] = await several(at, 2)
    const isFirstWhole = lines.startsWith('0')
    assert.equal(first?.status, isFirstWhole ? 'fulfilled' : 'rejected', lines)
    if (!isFirstWhole) problem('upstream-error')((first as PromiseRejectedResult).reason)
    assert.equal(second?.status, 'rejected', lines)
    problem('upstream-error')((second as PromiseRejectedResult).reason)
  }
})

test('a line over the limit of an answer is 502, and is not read to its end', async (t) => {
  const at = await setUp(t)
  let written = 0
  await taking(at, (_, response) => {
    response.write('0 200 ')
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536))) written += 65_536
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  await assert.rejects(getPatient(at), problem('upstream-error'))
  assert.ok(written < 4 * PORT_LIMITS.response_bytes)
})

test('of a message that broke off, reads without an answer are repeated and a write is not', async (t) => {
  const at = await setUp(t)
  let calls = 0
  await taking(at, (message, response) => {
    if (++calls > 1) response.end(everyLine(message))
    else response.write(`0 ${FOUND}1 200 {"data"`, () => response.destroy())
  })
  const [first, second, write] = await Promise.allSettled([getPatient(at), getPatient(at), at.backend.audit([])])
  assert.deepEqual([first, second?.status], [{ status: 'fulfilled', value: { data: patient } }, 'fulfilled'])
  problem('service-unavailable')((write as PromiseRejectedResult).reason)
  const writes = at.vendor.received
    .flatMap(({ body }) => (body as Message).calls ?? [])
    .filter(({ path }) => path === portPaths.audit)
  assert.equal(writes.length, 1)
})

test('to the breaker a broken message is one failure, however many calls it had', async (t) => {
  const at = await setUp(t)
  await taking(at, (_, response) => response.destroy())
  const broken = () => Promise.allSettled(Array.from({ length: 8 }, () => at.backend.audit([])))
  for (let message = 0; message < 4; message++) await broken()
  assert.deepEqual(at.logged, [])
  await broken()
  assert.deepEqual(at.logged, ['the backend cannot be reached: calls are refused at once'])
})

test('a long body goes alone', async (t) => {
  const at = await setUp(t)
  await taking(at, (message, response) => response.end(everyLine(message)))
  at.vendor.answer = () => ({ status: 204, headers: TAKES })
  const row = { resource_ids: Array.from({ length: 100 }, () => 'x'.repeat(400)) }
  await at.backend.audit([row] as never)
  assert.deepEqual(pathsOf(at.vendor.received), [portPaths.audit])
})
