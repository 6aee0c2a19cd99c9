// A backend behind the port records each read before it answers, with the row that one process would have stored, and once.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { after } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { portRoutes } from '@clinic-data/backend/port-listener'
import { allOperations, type Backend, handlerOf, handlersMadeBy } from '@clinic-data/contract'
import { mayBeWritten, WrittenRows } from '@clinic-data/contract/data-writer'
import { sql } from '@clinic-data/database'
import { httpBackend } from '@clinic-data/gateway/http-backend/http-backend'
import { freePorts } from '@clinic-data/testing/free-port'
import { ask, smallClinic, startParts, type TestParts } from '@clinic-data/testing/run/test-service'
import Fastify from 'fastify'
import { callTool } from '../mcp/messages.ts'
import { validOptions, validPath } from './valid-request.ts'

const quiet = { warn: () => undefined, info: () => undefined }

/** The operations of the rows that a gateway asked to store itself. */
const sentBack: string[] = []
/** The operations whose rows the backend wrote. */
const written = new Set<string>()
let isFull = false

const token = randomBytes(24).toString('hex')
const [port = 0] = await freePorts(1)
const listener = Fastify()
const overPort = httpBackend({ urls: [`http://127.0.0.1:${port}`], token, log: quiet })

/** One process with the same backend: it stores each row itself. */
const whole = await startParts()
const apart = await startParts({ wrap: behindPort })
await listener.listen({ port, host: '127.0.0.1' })
after(async () => {
  await apart.close()
  await whole.close()
  await overPort.close()
  await listener.close()
})
const clinic = await smallClinic(whole)

/** The gateway's backend: the given one, over the port. */
function behindPort(backend: Backend): Backend {
  const store: Backend['audit'] = async (rows) => {
    if (isFull) throw new Error('disk full')
    await backend.audit(rows)
  }
  const log = { warn: () => undefined, error: () => undefined }
  listener.register(portRoutes({ ...backend, audit: store }, { token, log }))
  const audit: Backend['audit'] = async (rows) => {
    sentBack.push(...rows.map(({ operation }) => operation))
    await overPort.audit(rows)
  }
  const handlers = handlersMadeBy((operation) => async (...asked) => {
    const answer = await handlerOf(overPort, operation)(...asked)
    if (answer?.data instanceof WrittenRows) written.add(operation.id)
    return answer
  })
  return { ...overPort, handlers, audit }
}

/** Every row of the request, without what differs from request to request. */
async function rowsOf({ owner }: TestParts, request_id: unknown) {
  const { rows } = await owner.query<{ row: Record<string, unknown> }>(sql`
    select to_jsonb(audit) - '{id,at,request_id,stored_at}'::text[] || jsonb_build_object('duration_ms', duration_ms is not null) as row
    from audit where clinic_id = ${clinic.clinic.clinic_id} and request_id = ${String(request_id)}`)
  return rows.map(({ row }) => row)
}

test('every read has the one row that it would have in one process, stored by the backend', async () => {
  for (const operation of allOperations.filter(({ effect }) => effect === 'none')) {
    const path = await validPath(whole, clinic, operation)
    const [here, there] = [
      await ask(whole, clinic.key, path, validOptions(operation)),
      await ask(apart, clinic.key, path, validOptions(operation)),
    ]
    assert.deepEqual([there.status, here.status], [200, 200], operation.id)
    const expected = await rowsOf(whole, here.headers['x-request-id'])
    assert.equal(expected.length, 1, operation.id)
    assert.deepEqual(await rowsOf(apart, there.headers['x-request-id']), expected, operation.id)
    assert.deepEqual(sentBack, [], operation.id)
  }
})

/** What differs from answer to answer: a cursor is sealed anew, a query tells when it looked, and a waiting delivery when it goes on. */
const OWN = /"(next_cursor|resume_cursor|as_of|next_attempt_at)":"[^"]+"/g

test('every read has the bytes that it would have in one process, and the backend has written the rows of lists', async () => {
  const withRows = new Set<string>()
  for (const operation of allOperations.filter(({ effect, shape }) => effect === 'none' && shape !== 'link')) {
    const path = await validPath(whole, clinic, operation)
    const detailed = `${path}${path.includes('?') ? '&' : '?'}response_format=detailed`
    for (const asked of operation.detailed ? [path, detailed] : [path]) {
      const [here, there] = [
        await ask(whole, clinic.key, asked, validOptions(operation)),
        await ask(apart, clinic.key, asked, validOptions(operation)),
      ]
      const alike = here.text.replace(OWN, '"$1"')
      assert.equal(there.text.replace(OWN, '"$1"'), alike, asked)
      if (mayBeWritten(operation) && here.json.data.length > 0) withRows.add(operation.id)
      if (alike === here.text) assert.equal(there.headers.etag, here.headers.etag, asked)
    }
  }
  assert.ok(withRows.size > 10)
  assert.deepEqual([...written].sort(), [...withRows].sort())
})

test('rows that the backend has written are compressed, and are not sent to a client that has them', async () => {
  const path = '/v1/patients?limit=100'
  const first = await ask(apart, clinic.key, path)
  const headers = { host: 'x', authorization: `Bearer ${clinic.key}` }
  const packed = await apart.send({ url: path, headers: { ...headers, 'accept-encoding': 'gzip' } })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(packed.bytes).toString(), first.text)
  const known = { 'if-none-match': String(first.headers.etag) }
  const again = await ask(apart, clinic.key, path, { headers: known })
  assert.deepEqual([again.status, again.text], [304, ''])
})

test('an empty list names the patient whom the request names, in the path or in its query', async () => {
  const { json } = await ask(whole, clinic.key, '/v1/patients?limit=1')
  const [{ id }] = json.data
  const period = 'from=1990-01-01&to=1990-01-02'
  for (const path of [`/v1/patients/${id}/appointments?${period}`, `/v1/appointments?patient_id=${id}&${period}`]) {
    const { headers, json: answer } = await ask(apart, clinic.key, path)
    assert.deepEqual(answer.data, [])
    const [row] = await rowsOf(apart, headers['x-request-id'])
    assert.ok(JSON.stringify(row?.resource_ids).includes(id), path)
  }
})

test('a write, a refusal and a tool call are recorded by the gateway', async () => {
  for (const operation of allOperations.filter(({ effect }) => effect !== 'none')) {
    const path = await validPath(whole, clinic, operation)
    sentBack.length = 0
    const { status, headers } = await ask(apart, clinic.key, path, validOptions(operation))
    assert.ok(status < 500, `${operation.id} ${status}`)
    assert.deepEqual(sentBack, [operation.id])
    assert.equal((await rowsOf(apart, headers['x-request-id'])).length, 1, operation.id)
  }
  for (const path of ['/v1/patients/nobody', '/v1/patients?limit=0']) {
    sentBack.length = 0
    assert.ok((await ask(apart, clinic.key, path)).status >= 400)
    assert.equal(sentBack.length, 1, path)
  }
  sentBack.length = 0
  await callTool(apart, clinic.key, 'appointments_list', { limit: 1 })
  assert.equal(sentBack.length, 1)
})

test('a read that waits for events has one row for all its looks', async () => {
  const { json } = await ask(apart, clinic.key, '/v1/events')
  sentBack.length = 0
  const path = `/v1/events?wait=1&cursor=${encodeURIComponent(json.resume_cursor)}`
  const { headers } = await ask(apart, clinic.key, path)
  assert.deepEqual(sentBack, ['events.list'])
  assert.equal((await rowsOf(apart, headers['x-request-id'])).length, 1)
})

test('a read that the backend cannot record is not answered', async () => {
  isFull = true
  try {
    const { status, text } = await ask(apart, clinic.key, '/v1/patients?limit=1')
    assert.equal(status, 503)
    assert.match(text, /could not be recorded/)
    assert.doesNotMatch(text, /first_name|disk full/)
  } finally {
    isFull = false
  }
  assert.equal((await ask(apart, clinic.key, '/v1/patients?limit=1')).status, 200)
})
