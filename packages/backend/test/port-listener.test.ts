// The port's private listener: nothing works without the token or past its time, and no internal text leaves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { allOperations, Problem } from '@clinic-data/contract'
import { PORT_LIMITS, portHeaders, portPaths } from '@clinic-data/contract/port'
import { stoppedTime } from '@clinic-data/testing/stopped-time'
import { portRoutes } from '../src/port-listener.ts'
import { answering, backendOf, type Handle, input, principal, setUp, token } from './port-call.ts'

test('a token too short to keep anyone out is refused', () => {
  const log = { warn: () => undefined, error: () => undefined }
  for (const short of ['', 'x'.repeat(31)]) {
    assert.throws(() => portRoutes(backendOf(answering), { token: short, log }), /at least 32 characters/)
  }
})

test('every route refuses a call without the token, and runs no handler', async (t) => {
  const called = () => assert.fail('the backend was called')
  const { app } = setUp(t, called, { authenticate: called, audit: called, openFile: called, ready: called })
  const routes = [
    ['GET', portPaths.ready],
    ['POST', portPaths.authenticate],
    ['POST', portPaths.audit],
    ['POST', portPaths.calls],
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
      const sent = authorization ? { authorization } : {}
      const { statusCode, headers, json } = await app.inject({ method, url, headers: sent })
      assert.equal(statusCode, 401, url)
      assert.deepEqual([headers[portHeaders.secret_keys], headers[portHeaders.connects_apps]], [undefined, undefined])
      assert.deepEqual(Object.keys(json()), ['error'], 'no problem that a gateway would hand on')
    }
  }
})

test('a handler gets a new grant, the input, and the remaining time', async (t) => {
  stoppedTime(t, 'setTimeout')
  let got: Parameters<Handle> | undefined
  const { getPatient } = setUp(t, async (...args) => {
    got = args
    return { data: { id: 'p1' } }
  })
  const { status, text } = await getPatient({ 'x-request-id': 'req_1', 'x-deadline-ms': '3000' })
  assert.equal(status, 200)
  assert.equal(text, '{"data":{"id":"p1"}}')
  const [grant, content, context] = got ?? assert.fail()
  assert.equal(grant.operation.id, 'patients.get')
  assert.deepEqual(grant.principal, principal)
  assert.deepEqual(content, input)
  assert.equal(context.request_id, 'req_1')
  assert.equal(context.deadline - performance.now(), 3_000)
})

test('no call is given more than eight seconds', async (t) => {
  stoppedTime(t, 'setTimeout')
  const deadlines: number[] = []
  const { getPatient } = setUp(t, async (_grant, _input, { deadline }) => {
    deadlines.push(deadline - performance.now())
    return { data: {} }
  })
  await getPatient()
  await getPatient({ 'x-deadline-ms': '999999999' })
  assert.deepEqual(deadlines, [PORT_LIMITS.deadline_ms, PORT_LIMITS.deadline_ms])
})

test('a principal without the scope is refused here too', async (t) => {
  const { getPatient } = setUp(t, () => assert.fail('the handler was called'))
  const { status, text } = await getPatient({}, { principal: { ...principal, scopes: ['calls:read'] }, input })
  assert.equal(status, 403)
  const { slug, members } = JSON.parse(text)
  assert.deepEqual([slug, members], ['forbidden', { required_scope: 'patients:read' }])
})

test('work is not started after its deadline, and running work is not awaited beyond it', async (t) => {
  const { pass } = stoppedTime(t, 'setTimeout')
  let begun = 0
  const { getPatient } = setUp(t, () => {
    begun++
    return new Promise(() => undefined)
  })
  assert.equal((await getPatient({ 'x-deadline-ms': '0' })).status, 503)
  assert.equal(begun, 0)
  const answer = getPatient({ 'x-deadline-ms': '30' })
  while (begun === 0) await setImmediate()
  pass(29)
  assert.equal(await Promise.race([answer, setImmediate('waiting')]), 'waiting')
  pass(1)
  const { status, text } = await answer
  assert.equal(begun, 1)
  assert.equal(status, 503)
  assert.deepEqual(JSON.parse(text).slug, 'service-unavailable')
})

test('a handler that fails after its time was given up does no harm', async (t) => {
  const { pass } = stoppedTime(t, 'setTimeout')
  const { promise, reject } = Promise.withResolvers<never>()
  let isBegun = false
  const { getPatient } = setUp(t, () => {
    isBegun = true
    return promise
  })
  const answer = getPatient({ 'x-deadline-ms': '20' })
  while (!isBegun) await setImmediate()
  pass(20)
  assert.equal((await answer).status, 503)
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

test('any other error is a 500 without its text, which only the log has', async (t) => {
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

test("a problem that a backend must not answer is the backend's own error", async (t) => {
  const problem = new Problem('rate-limited', 'Send less.')
  const { getPatient, logged } = setUp(t, () => Promise.reject(problem))
  assert.equal((await getPatient()).status, 500)
  assert.deepEqual(
    logged.map(({ fields }) => fields.err),
    [problem],
  )
})
