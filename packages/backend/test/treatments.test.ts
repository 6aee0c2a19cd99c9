// Recorded treatments: the form of a row, the list of a patient, and the effect of a removal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, problem, walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertAppointment, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

test('a treatment is answered with all it embeds and the price of the row in major units', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' })
  await insert(owner, clinic, 'catalog_treatment', { id: 'cleaning', name: 'Cleaning', code: 'D1110' })
  await insert(owner, clinic, 'provider', { id: 'dr-a', name: 'Dr. A' })
  await insert(owner, clinic, 'treatment_plan', { id: 'plan', name: 'Implants' })
  await insertAppointment(owner, clinic, { id: 'a1', start: '2026-07-14T07:00:00Z', end: '2026-07-14T07:30:00Z' })
  const row = {
    id: 't1',
    patient_id: 'p1',
    catalog_treatment_id: 'cleaning',
    provider_id: 'dr-a',
    appointment_id: 'a1',
    plan_id: 'plan',
    quantity: 2,
    price_minor: 35_001,
    discount_minor: 100,
    performed_at: '2026-07-14T07:25:00Z',
  }
  await insert(owner, clinic, 'treatment', row)
  const treatment = {
    id: 't1',
    patient: { id: 'p1', first_name: 'Noa', last_name: 'Levi' },
    treatment: { id: 'cleaning', name: 'Cleaning', code: 'D1110' },
    provider: { id: 'dr-a', name: 'Dr. A' },
    appointment: { id: 'a1', start: '2026-07-14T10:00:00+03:00', end: '2026-07-14T10:30:00+03:00' },
    plan: { id: 'plan', name: 'Implants' },
    quantity: 2,
    price: 350.01,
    performed_at: '2026-07-14T10:25:00+03:00',
    created_at: '2026-01-01T10:00:00.000+02:00',
    updated_at: '2026-01-01T10:00:00.000+02:00',
  }
  assert.deepEqual(await ask(backend, clinic, 'treatments.get', { params: { id: 't1' } }), { data: treatment })
  const list = await ask(backend, clinic, 'treatments.list', { params: { id: 'p1' } })
  assert.deepEqual(list, { data: [treatment], next: null })
})

test('a removed treatment is not found and in no list', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1' })
  await insert(owner, clinic, 'treatment', { id: 't1', patient_id: 'p1', removed_at: '2026-02-01T00:00:00Z' })
  const get = ask(backend, clinic, 'treatments.get', { params: { id: 't1' } })
  await assert.rejects(get, problem('not-found', /No recorded treatment has the id t1/))
  for (const query of [{}, { updated_since: '2020-01-01T00:00:00Z' }]) {
    assert.deepEqual((await ask(backend, clinic, 'treatments.list', { params: { id: 'p1' }, query })).data, [])
  }
})

test('a patient’s treatments come latest first, those without a time last, of one appointment when asked', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1' })
  await insertPatient(owner, clinic, { id: 'p2' })
  await insertAppointment(owner, clinic, { id: 'a1' })
  const times = { a: '2026-07-01T08:00:00Z', b: null, c: '2026-07-03T08:00:00Z', d: null, e: '2026-07-01T08:00:00Z' }
  for (const [id, performed_at] of Object.entries(times)) {
    const updated_at = id === 'b' ? '2026-07-09T08:00:00.000Z' : '2026-07-08T08:00:00.000Z'
    const appointment_id = id < 'c' ? 'a1' : null
    await insert(owner, clinic, 'treatment', { id, patient_id: 'p1', performed_at, updated_at, appointment_id })
  }
  await insert(owner, clinic, 'treatment', { id: 'other', patient_id: 'p2', appointment_id: 'a1' })
  const walked = async (query: Record<string, unknown>) => {
    const rows = await walk(backend, clinic, 'treatments.list', { params: { id: 'p1' }, query, limit: 2 })
    return rows.map(({ id }) => id)
  }
  assert.deepEqual(await walked({}), ['c', 'e', 'a', 'd', 'b'])
  assert.deepEqual(await walked({ appointment_id: 'a1' }), ['a', 'b'])
  assert.deepEqual(await walked({ appointment_id: 'nowhere' }), [])
  assert.deepEqual(await walked({ updated_since: '2026-07-08T08:00:00.000Z' }), ['a', 'c', 'd', 'e', 'b'])
  const nobody = ask(backend, clinic, 'treatments.list', { params: { id: 'nobody' } })
  await assert.rejects(nobody, problem('not-found', /No patient has the id nobody/))
})
