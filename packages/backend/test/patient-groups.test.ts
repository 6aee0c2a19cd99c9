// Figures by patient: each group has the patient's id and name, for keys that may read patients and the records.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic, Scope } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

const during = (field: string) => [{ field, op: 'between', value: ['2026-01-01', '2026-07-12'] }]
const QUERIES = {
  'treatments:read': { dataset: 'production', measures: ['treatment_count'], filters: during('effective_date') },
  'appointments:read': { dataset: 'appointments', measures: ['appointment_count'], filters: during('start_date') },
  'payments:read': { dataset: 'payments', measures: ['amount_collected'], filters: during('payment_date') },
} as const

async function twoPatients(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' })
  await insertPatient(owner, clinic, { id: 'p2', first_name: 'Dana' })
  const day = '2026-05-04'
  for (const [n, patient_id] of ['p1', 'p1', 'p2', null].entries()) {
    const row = { id: `r${n}`, patient_id }
    await insert(owner, clinic, 'treatment', { ...row, effective_date: day })
    await insert(owner, clinic, 'appointment', { ...row, start: `${day}T08:00:00Z`, start_date: day })
    await insert(owner, clinic, 'payment', { ...row, paid_at: `${day}T08:00:00Z`, paid_date: day })
  }
  return clinic
}

test('each group has the patient and the whole name, and records of nobody are a group', async () => {
  const clinic = await twoPatients()
  for (const [measure, figures] of [
    ['treatment_count', [2, 1, 1]],
    ['appointment_count', [2, 1, 1]],
    ['amount_collected', [200, 100, 100]],
  ] as const) {
    const query = Object.values(QUERIES).find(({ measures }) => (measures as readonly string[]).includes(measure))
    const order = [{ by: 'patient', dir: 'asc' }]
    const { data } = await ask(backend, clinic, 'query.run', { body: { ...query, dimensions: ['patient'], order } })
    assert.deepEqual(data.rows, [
      { patient: 'p1', patient_label: 'Noa Levi', [measure]: figures[0] },
      { patient: 'p2', patient_label: 'Dana', [measure]: figures[1] },
      { patient: null, patient_label: null, [measure]: figures[2] },
    ])
  }
})

test('groups of patients need the scope of patients and that of their records', async () => {
  const clinic = await twoPatients()
  for (const [scope, query] of Object.entries(QUERIES) as [Scope, object][]) {
    const run = (scopes: readonly Scope[]) =>
      ask(backend, clinic, 'query.run', { body: { ...query, dimensions: ['patient'] }, scopes })
    const all: readonly Scope[] = ['analytics:read', 'patients:read', scope]
    assert.equal((await run(all)).data.rows.length, 3)
    for (const missing of ['patients:read', scope])
      await assert.rejects(run(all.filter((one) => one !== missing)), problem('forbidden', new RegExp(missing)))
  }
})

test('groups of plans, which one patient has as a rule, need the scope of treatments', async () => {
  const clinic = await twoPatients()
  await insert(owner, clinic, 'treatment_plan', { id: 'plan_1', name: 'Implants for Noa' })
  await owner.query(sql`update treatment set plan_id = 'plan_1' where clinic_id = ${clinic.clinic_id} and id = 'r0'`)
  const body = { ...QUERIES['treatments:read'], dimensions: ['plan'], order: [{ by: 'plan', dir: 'asc' }] }
  const run = (scopes: readonly Scope[]) => ask(backend, clinic, 'query.run', { body, scopes })
  await assert.rejects(run(['analytics:read', 'patients:read']), problem('forbidden', /treatments:read/))
  const { data, patient_ids } = await run(['analytics:read', 'treatments:read'])
  assert.deepEqual(data.rows, [
    { plan: 'plan_1', plan_label: 'Implants for Noa', treatment_count: 1 },
    { plan: null, plan_label: null, treatment_count: 3 },
  ])
  assert.deepEqual(patient_ids, ['p1'])
})
