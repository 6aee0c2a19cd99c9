// Recorded treatments through the ingest API: the stored rows, their events, and that a removed one stays removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Treatment } from '@clinic-data/contract/resources/treatment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { eventsOf, ingestOf } from '@clinic-data/testing/grounds/ingest'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const database = await testDatabase()
const { owner, app } = database
const backend = createBackend({ database: app, now: () => new Date(), log: failingLog })
const serialize = serializerOf(Treatment)

async function clinicWithCatalog() {
  const clinic = await testClinic(owner)
  await insert(owner, clinic, 'branch', { id: 'b' })
  await insertPatient(owner, clinic, { id: 'p', first_name: 'Noa' })
  await insert(owner, clinic, 'catalog_treatment', { id: 'm' })
  const read = async () => (await ask(backend, clinic, 'treatments.get', { params: { id: 't1' } })).data
  return { clinic, send: await ingestOf(database, clinic), read }
}

const done = {
  id: 't1',
  patient_id: 'p',
  catalog_treatment_id: 'm',
  price: 350.55,
  performed_at: '2026-07-14T09:20:00+03:00',
}

test('a recorded treatment and each visible change of it fire one event with the resource byte for byte', async () => {
  const { clinic, send, read } = await clinicWithCatalog()
  const steps = [
    [done, 'created', 'treatment.created'],
    [{ ...done, price: 351 }, 'updated', 'treatment.updated'],
    [{ ...done, price: 351, quantity: 2 }, 'updated', 'treatment.updated'],
  ] as const
  for (const [record, outcome, type] of steps) {
    assert.deepEqual((await send('/treatments', record)).json, { data: { id: 't1', outcome } })
    const event = (await eventsOf(owner, clinic)).at(-1)
    assert.deepEqual([event?.type, event?.data], [type, serialize(await read())])
  }
  assert.equal((await send('/treatments', steps[2][0])).json.data.outcome, 'unchanged')
  assert.equal((await eventsOf(owner, clinic)).length, steps.length)
})

test('a change that no integration can see is stored, keeps updated_at, and fires nothing', async () => {
  const { clinic, send, read } = await clinicWithCatalog()
  await send('/treatments', done)
  const shown = await read()
  const silent = { ...done, discount: 50.5, branch_id: 'b' }
  assert.equal((await send('/treatments', silent)).json.data.outcome, 'updated')
  assert.deepEqual(await read(), shown)
  const { rows } = await owner.query<object>(sql`select branch_id, discount_minor from treatment
    where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(rows, [{ branch_id: 'b', discount_minor: 5050 }])
  assert.equal((await eventsOf(owner, clinic)).length, 1)

  await send('/treatments', { ...silent, discount: 0, price: 300 })
  assert.deepEqual(
    (await eventsOf(owner, clinic)).map(({ type }) => type),
    ['treatment.created', 'treatment.updated'],
  )
  assert.ok(String((await read()).updated_at) > String(shown.updated_at))
})

test('a removed treatment is gone, has one event with its last state, and cannot be stored again', async () => {
  const { clinic, send, read } = await clinicWithCatalog()
  await send('/treatments', done)
  const last = await read()
  const removal = { id: 't1', removed_at: '2026-07-14T12:00:00+03:00' }
  assert.deepEqual((await send('/treatments/remove', removal)).json, { data: { id: 't1', outcome: 'removed' } })
  assert.deepEqual((await send('/treatments/remove', { id: 't1' })).json, { data: { id: 't1', outcome: 'unchanged' } })
  await assert.rejects(read(), problem('not-found'))
  const [, cancelled, ...more] = await eventsOf(owner, clinic)
  assert.deepEqual(more, [])
  const data = JSON.parse(String(cancelled?.data))
  assert.equal(cancelled?.type, 'treatment.cancelled')
  assert.deepEqual({ ...data, updated_at: last.updated_at }, last)
  assert.ok(data.updated_at > String(last.updated_at))

  const refused = await send('/treatments', { records: [{ ...done, id: 't2' }, done] })
  assert.deepEqual(
    [refused.status, refused.json.errors[0].pointer, refused.json.errors[0].code],
    [422, '#/records/1/id', 'removed'],
  )
  assert.equal((await eventsOf(owner, clinic)).length, 2)
})

test('a removal without a time takes that of its update', async () => {
  const { clinic, send } = await clinicWithCatalog()
  await send('/treatments', done)
  await send('/treatments/remove', { id: 't1' })
  const { rows } = await owner.query<{ same: boolean }>(sql`select removed_at = updated_at as same from treatment
    where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(rows, [{ same: true }])
})
