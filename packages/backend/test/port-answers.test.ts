// Several calls in one message: each is answered as it would be alone, as soon as it can be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PORT_LIMITS, portPaths } from '@clinic-data/contract/port'
import type { PortReply } from '@clinic-data/contract/port-answer'
import { PortLines } from '@clinic-data/contract/port-lines'
import { answering, input, principal, setUp, token } from './port-call.ts'

const patients = portPaths.operation('patients.get')
const one = (body: unknown, path: string = patients, deadline_ms = 5000) => ({ path, deadline_ms, body })
const whole = { principal, input }

function repliesIn(text: string): PortReply[] {
  const replies: PortReply[] = []
  new PortLines((place, reply) => {
    replies[place] = reply
  }).read(Buffer.from(text))
  return replies
}

test('each call is answered as it would be alone', async (t) => {
  const { post, logged } = setUp(t, answering, { authenticate: async () => null })
  const bodies: [path: string, body: unknown][] = [
    [patients, whole],
    [patients, { principal: { ...principal, scopes: [] }, input }],
    [patients, { principal }],
    [portPaths.authenticate, { key_hash: 'a'.repeat(64) }],
    [portPaths.audit, { rows: [] }],
    [portPaths.operation('patients.nothing'), whole],
  ]
  const { status, text } = await post(portPaths.calls, { calls: bodies.map(([path, body]) => one(body, path)) })
  assert.equal(status, 200)
  const replies = repliesIn(text)
  assert.deepEqual(
    replies.map((reply) => reply.status),
    [200, 403, 400, 200, 204, 404],
  )
  for (const [place, [path, body]] of bodies.slice(0, 5).entries()) {
    const alone = await post(path, body)
    assert.deepEqual(replies[place], { status: alone.status, text: alone.text })
  }
  assert.deepEqual(logged, [])
})

test('no call waits for another one, and none runs beyond its own time', async (t) => {
  const { app } = setUp(t, async (_grant, _input, { request_id }) => {
    return request_id === 'slow' ? new Promise(() => undefined) : { data: { id: request_id } }
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const calls = [
    { ...one(whole, patients, 400), request_id: 'slow' },
    { ...one(whole), request_id: 'quick' },
    one(whole, patients, 0),
  ]
  const answered = await fetch(address + portPaths.calls, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ calls }),
  })
  const places: number[] = []
  const statuses: number[] = []
  const lines = new PortLines((place, { status }) => {
    places.push(place)
    statuses[place] = status
  })
  for await (const bytes of answered.body ?? []) lines.read(Buffer.from(bytes))
  assert.equal(places.at(-1), 0, 'the slow one came last')
  assert.deepEqual(statuses, [503, 200, 503])
})

test('an error of one call is logged with its request, and the others are answered', async (t) => {
  const { post, logged } = setUp(t, async (_grant, _input, { request_id }) => {
    if (request_id === 'req_2') throw new Error('inside')
    return { data: {} }
  })
  const calls = [one(whole), { ...one(whole), request_id: 'req_2' }]
  const { text } = await post(portPaths.calls, { calls })
  assert.deepEqual(
    repliesIn(text).map(({ status }) => status),
    [200, 500],
  )
  assert.ok(!text.includes('inside'))
  assert.deepEqual(
    logged.map(({ fields }) => fields.request_id),
    ['req_2'],
  )
})

test('a message of another form is refused, and runs nothing', async (t) => {
  const { post } = setUp(t, () => assert.fail('the handler was called'))
  for (const body of [
    {},
    { calls: [] },
    { calls: [one(whole)], more: 1 },
    { calls: [{ path: patients, body: whole }] },
    { calls: [one(whole, patients, -1)] },
    { calls: Array(PORT_LIMITS.calls + 1).fill(one(whole)) },
  ]) {
    assert.equal((await post(portPaths.calls, body)).status, 400, JSON.stringify(body).slice(0, 80))
  }
})

test('every answer says that several calls are taken in a message', async (t) => {
  const { getPatient, post } = setUp(t, answering)
  for (const { headers } of [await getPatient(), await post(portPaths.calls, { calls: [one(whole)] })]) {
    assert.equal(headers['x-takes-calls'], '1')
  }
})
