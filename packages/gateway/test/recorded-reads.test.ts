// A gateway lets a backend record its reads only when the backend says that it does, and believes it only when an answer says so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnyAnswer } from '@clinic-data/contract'
import { portPaths } from '@clinic-data/contract/port'
import { call, context, getPatient, ok, patient, type SetUp, setUp } from './remote-backend.ts'

const RECORDS = { 'x-records-reads': '1' }
const record = { surface: 'rest', address: '192.0.2.1', named: ['p1'], patient_ids: ['p1'], elapsed_ms: 3 } as const
const recorded = async (at: SetUp): Promise<AnyAnswer> => getPatient(at, { ...context(), record })
const recordsSent = ({ vendor }: SetUp) => vendor.received.map(({ body }) => (body as { record?: object }).record)

/** A backend that records reads, once the gateway knows it. */
async function recording(t: Parameters<typeof setUp>[0]): Promise<SetUp> {
  const at = await setUp(t)
  at.vendor.answer = () => ({ status: 200, body: { data: patient, recorded: true }, headers: RECORDS })
  await getPatient(at)
  at.vendor.received.length = 0
  return at
}

test('a backend that does not say that it records reads is not asked to, and its answer says nothing of it', async (t) => {
  const at = await setUp(t)
  at.vendor.answer = () => ok
  for (let round = 0; round < 2; round++) assert.equal((await recorded(at)).recorded, undefined)
  assert.deepEqual(recordsSent(at), [undefined, undefined])
})

test('a backend that records reads is told what the gateway knows, and its answer says that the row is stored', async (t) => {
  const at = await recording(t)
  assert.equal((await recorded(at)).recorded, true)
  assert.deepEqual(recordsSent(at), [record])
})

test('a call of which the gateway tells nothing carries no record', async (t) => {
  const at = await recording(t)
  await call(at, 'calls.get')
  assert.deepEqual(recordsSent(at), [undefined])
})

test('a backend that an earlier version has replaced is asked again without the record', async (t) => {
  const at = await recording(t)
  at.vendor.answer = ({ body }) =>
    (body as { record?: object }).record === undefined
      ? ok
      : { status: 400, body: { error: 'the body is not of the form' } }
  assert.deepEqual(await recorded(at), { data: patient })
  assert.deepEqual(recordsSent(at), [record, undefined])
  await recorded(at)
  assert.deepEqual(recordsSent(at), [record, undefined, undefined])
})

test('a refusal of a recorded read is handed on, and not asked again', async (t) => {
  const at = await recording(t)
  const refusal = { slug: 'invalid-request', detail: 'The cursor is not of this list.', members: {} }
  at.vendor.answer = () => ({ status: 400, body: refusal, headers: RECORDS })
  await assert.rejects(recorded(at), { message: refusal.detail })
  assert.deepEqual(
    at.vendor.received.map(({ path }) => path),
    [portPaths.operation('patients.get')],
  )
})
