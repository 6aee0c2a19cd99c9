// A remote backend: what is sent, which answers are accepted, and the result of each network fault.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Grant, type OperationId, operations, Problem } from '@clinic-data/contract'
import { PORT_LIMITS } from '@clinic-data/contract/port'
import { call, context, getPatient, input, LEAK, ok, patient, principal, problem, setUp } from './remote-backend.ts'

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

test('an answer to an app passes with what the gateway counts, and another form is 502', async (t) => {
  const at = await setUp(t)
  const ask = () => {
    const { answerApp = () => assert.fail() } = at.backend
    return answerApp('revoke', { form: { token: 'a' }, authorization: null, address: '192.0.2.1' }, context())
  }
  for (const body of [
    { status: 200, body: null, is_guess: true },
    { status: 400, body: { error: 'invalid_grant' } },
  ]) {
    at.vendor.answer = () => ({ status: 200, body })
    assert.deepEqual({ ...(await ask()) }, { is_guess: undefined, ...body })
  }
  at.vendor.answer = () => ({ status: 200, body: { status: 200, body: null, is_guess: 'yes' } })
  await assert.rejects(ask(), problem('upstream-error'))
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
    { status: 401, body: { error: LEAK } },
    { status: 429, body: { slug: 'rate-limited', detail: LEAK, members: {} } },
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
  const chunk = Buffer.alloc(65_536, ' ')
  let written = 0
  at.vendor.answer = () => (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }
  await assert.rejects(getPatient(at), problem('upstream-error'))
  assert.ok(written < 4 * PORT_LIMITS.response_bytes)
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

test('a rehearsal has a path of its own: a backend that does not know it is told apart from one that refuses', async (t) => {
  const at = await setUp(t)
  const operation = operations['payments.create']
  const grant = Grant.authorize({ ...principal, scopes: ['payments:write'] }, operation)
  const rehearse = () => at.backend.rehearse?.(grant, input as never, context()) ?? assert.fail()
  at.vendor.answer = () => ({ status: 404, body: { error: 'there is no such call' } })
  assert.equal(await rehearse(), null)
  at.vendor.answer = () => ({ status: 404, body: { slug: 'not-found', detail: 'No such patient.', members: {} } })
  await assert.rejects(rehearse(), problem('not-found'))
  at.vendor.answer = () => ({ status: 200, body: { data: { id: 'pay1' } } })
  assert.deepEqual(await rehearse(), { data: { id: 'pay1' } })
  assert.deepEqual(new Set(at.vendor.received.map(({ path }) => path)), new Set(['/port/rehearsals/payments.create']))
  assert.deepEqual(at.vendor.received[0]?.body, JSON.parse(JSON.stringify({ principal: grant.principal, input })))
})
