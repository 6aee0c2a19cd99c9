// The backend's part of a recorded read: its row is stored before its answer leaves, and an answer says so only when that is true.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditRow } from '@clinic-data/contract'
import { portPaths } from '@clinic-data/contract/port'
import { answering, input, principal, setUp } from './port-call.ts'

const record = { surface: 'rest', address: '192.0.2.1', named: ['p1'], patient_ids: ['p1'], elapsed_ms: 3 }
const sent = { principal, input, record }

test('a read is answered once its row is stored, which names what the answer holds', async (t) => {
  const { promise: storing, resolve: store } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<readonly AuditRow[]>()
  const { getPatient } = setUp(t, answering, {
    audit: (rows) => {
      begin(rows)
      return storing
    },
  })
  let isAnswered = false
  const answer = getPatient({ 'x-request-id': 'req_1' }, sent).finally(() => {
    isAnswered = true
  })
  const [{ at, duration_ms, ...row } = assert.fail()] = await begun
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000)
  assert.ok((duration_ms ?? 0) >= 3)
  assert.deepEqual(row, {
    clinic_id: 'north',
    key_id: 'key_1',
    operation: 'patients.get',
    surface: 'rest',
    resource_ids: ['p1'],
    patient_ids: ['p1'],
    count: 1,
    status: 200,
    request_id: 'req_1',
    address: '192.0.2.1',
  })
  assert.equal(isAnswered, false)
  store()
  assert.deepEqual(JSON.parse((await answer).text), { data: { id: 'p1' }, recorded: true })
})

test('a read without a record, and one whose row could not be stored, do not say that they are recorded', async (t) => {
  let isFull = true
  const { getPatient, logged } = setUp(t, answering, {
    audit: () => (isFull ? Promise.reject(new Error('disk full')) : Promise.resolve()),
  })
  const unrecorded = JSON.stringify({ data: { id: 'p1' } })
  assert.equal((await getPatient({}, sent)).text, unrecorded)
  assert.equal(logged.length, 1)
  isFull = false
  assert.equal((await getPatient({}, { principal, input })).text, unrecorded)
  assert.equal((await getPatient({}, sent)).text, JSON.stringify({ data: { id: 'p1' }, recorded: true }))
})

test('a refused read has no row of the backend', async (t) => {
  const { getPatient } = setUp(
    t,
    async () => {
      throw new Error('inside')
    },
    { audit: () => assert.fail('a refusal was recorded') },
  )
  assert.equal((await getPatient({}, sent)).status, 500)
})

test('a write is not recorded with its answer, and a record of another form is refused', async (t) => {
  const { post } = setUp(t, () => assert.fail('the handler was called'))
  const paths = { read: portPaths.operation('patients.get'), write: portPaths.operation('payments.create') }
  const rehearsal = portPaths.rehearsal('payments.create')
  assert.equal((await post(paths.write, sent)).status, 400)
  assert.notEqual((await post(rehearsal, sent)).status, 200)
  for (const changed of [{ surface: 'console' }, { named: 'p1' }, { elapsed_ms: -1 }, { address: 7 }]) {
    const { status } = await post(paths.read, { ...sent, record: { ...record, ...changed } })
    assert.equal(status, 400, JSON.stringify(changed))
  }
})
