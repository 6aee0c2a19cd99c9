// A request has a deadline, and so has every page of the gateway itself.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { sql } from '@clinic-data/database'
import { halfSent } from '@clinic-data/testing/half-sent'
import { ask, BASE_URL, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { stoppedTime } from '@clinic-data/testing/stopped-time'

const DEADLINE_MS = 2_000

test('a backend that does not answer costs a request no more than its deadline, and the next request nothing', async (t) => {
  const { pass } = stoppedTime(t, 'setInterval')
  let isStuck = false
  let calls = 0
  const stuck = () => {
    calls++
    return new Promise<never>(() => undefined)
  }
  const service = await startParts({
    deadlineMs: DEADLINE_MS,
    wrap: (backend) => ({
      ...backend,
      handlers: {
        ...backend.handlers,
        'patients.list': (...call) => (isStuck ? stuck() : backend.handlers['patients.list'](...call)),
      },
    }),
  })
  try {
    const { key } = await smallClinic(service)
    assert.equal((await ask(service, key, '/v1/patients?limit=1')).status, 200)
    isStuck = true
    const call = { name: 'patients_list', arguments: { limit: 4 } }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
    const late = Promise.all([
      ...[1, 2, 3].map((limit) => ask(service, key, `/v1/patients?limit=${limit}`)),
      ask(service, key, '/mcp', { method: 'POST', body: message }),
    ])
    while (calls < 4) await setImmediate()
    pass(DEADLINE_MS - 1)
    assert.equal(await Promise.race([late, setImmediate('waiting')]), 'waiting')
    pass(DEADLINE_MS / 10)
    const answers = await Promise.race([late, delay(20_000, null, { ref: false })])
    assert.ok(answers, 'the deadline has passed')
    for (const { status, json, headers } of answers) {
      assert.equal(status, 503)
      assert.equal(json.detail, 'The answer took too long. Retry with exponential backoff.')
      assert.equal(headers['retry-after'], '1')
    }
    isStuck = false
    assert.equal((await ask(service, key, '/v1/patients?limit=1')).status, 200)
  } finally {
    pass(10 * DEADLINE_MS)
    await service.close()
  }
})

test('a body that stops half way is refused at the deadline with 408, and asks nothing of the backend', async (t) => {
  const { pass } = stoppedTime(t, 'setInterval')
  let calls = 0
  const counted = () => {
    calls++
    return new Promise<never>(() => undefined)
  }
  const service = await startParts({
    deadlineMs: DEADLINE_MS,
    connect: { consoleUrl: 'https://console.clinic.example', mayRegister: false },
    wrap: (backend) => ({
      ...backend,
      answerApp: counted,
      handlers: { ...backend.handlers, 'leads.create': counted, 'patients.list': counted },
    }),
  })
  try {
    const { key, clinic } = await smallClinic(service)
    const headers = { authorization: `Bearer ${key}`, host: new URL(BASE_URL).host }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'patients_list', arguments: {} } }
    const sent = [
      { path: '/v1/leads', headers, body: '{"first_name":"Dana","source":"website"}' },
      { path: '/mcp', headers, body: JSON.stringify(message) },
      { path: '/oauth/token', headers: form, body: 'grant_type=refresh_token&refresh_token=x' },
    ]
    const late = []
    for (const request of sent) late.push(await halfSent(service.gateway.app, request))
    const answers = Promise.all(late.map((one) => one.answer()))
    pass(DEADLINE_MS - 1)
    assert.equal(await Promise.race([answers, setImmediate('waiting')]), 'waiting')
    pass(DEADLINE_MS / 10)
    const answered = await Promise.race([answers, delay(20_000, null, { ref: false })])
    assert.ok(answered, 'the deadline has passed')
    const detail = 'The body did not arrive whole within 2 seconds. Nothing was stored. Send the request again.'
    assert.deepEqual(
      answered.map(({ status, text }) => [status, JSON.parse(text).detail ?? JSON.parse(text).error_description]),
      sent.map(() => [408, detail]),
    )
    assert.equal(calls, 0)
    const session = { clinic_id: clinic.clinic_id, time_zone: 'UTC' }
    const statement = sql`select operation, status from audit where clinic_id = ${clinic.clinic_id}`
    const refused = { operation: 'leads.create', status: 408 }
    assert.deepEqual(await service.database.read(session, statement), [refused])
  } finally {
    pass(10 * DEADLINE_MS)
    await service.close()
  }
})

test('a refusal of a late body that cannot be written down is not waited for', async (t) => {
  const { pass } = stoppedTime(t, 'setInterval')
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: written, resolve: write } = Promise.withResolvers<void>()
  const audit = () => {
    begin()
    return written
  }
  const service = await startParts({ deadlineMs: DEADLINE_MS, wrap: (backend) => ({ ...backend, audit }) })
  try {
    const { key } = await smallClinic(service)
    const headers = { authorization: `Bearer ${key}` }
    const late = await halfSent(service.gateway.app, { path: '/v1/leads', headers, body: '{"first_name":"Dana"}' })
    const answer = late.answer()
    pass(DEADLINE_MS)
    await begun
    assert.equal(await Promise.race([answer, setImmediate('waiting')]), 'waiting')
    pass(DEADLINE_MS / 10)
    const answered = await Promise.race([answer, delay(20_000, null, { ref: false })])
    assert.equal(answered?.status, 503)
  } finally {
    write()
    pass(10 * DEADLINE_MS)
    await service.close()
  }
})
