// Keys of names without a sound, as the version before writes them, get one, and no write waits for that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'
import { clinicsUnheard, fillNameSounds } from '../src/name-sounds.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

test('patients whom the version before stored are found by sound after a round, and rows in use after the next', async () => {
  const [clinic, other] = [await testClinic(owner), await testClinic(owner)]
  for (const [id, first_name] of [
    ['a', 'נעה'],
    ['b', 'Ноа'],
    ['c', 'Noa'],
    ['d', '123'],
  ] as const)
    for (const one of [clinic, other]) await insertPatient(owner, one, { id, first_name, last_name: null })
  await owner.write(clinic, (tx) =>
    tx.query(sql`update patient_name set sound = null where clinic_id = ${clinic.clinic_id}`),
  )
  const found = async () => {
    const { data } = await ask(backend, clinic, 'patients.list', { query: { query: 'noa' } })
    return data.map(({ id }) => id)
  }
  assert.deepEqual(await found(), ['c'])
  await app.write(clinic, async (tx) => {
    await tx.query(
      sql`select key from patient_name where clinic_id = ${clinic.clinic_id} and patient_id = 'a' for update`,
    )
    assert.equal(await fillNameSounds(app, clinic), 3)
  })
  assert.deepEqual(await found(), ['c', 'b'])
  assert.equal(await fillNameSounds(app, clinic), 1)
  assert.deepEqual(await found(), ['c', 'b', 'a'])
  assert.equal(await fillNameSounds(app, clinic), 0)
  assert.equal(await fillNameSounds(app, other), 0)
})

test('a round goes to the clinics with names that have no sound', async () => {
  const [clinic, other] = [await testClinic(owner), await testClinic(owner)]
  for (const one of [clinic, other]) await insertPatient(owner, one, { id: 'p1', first_name: 'Noa', last_name: 'Levi' })
  const isUnheard = async ({ clinic_id }: Clinic) =>
    (await clinicsUnheard(owner)).some((unheard) => unheard.clinic_id === clinic_id)
  await owner.write(clinic, (tx) =>
    tx.query(sql`update patient_name set sound = null where clinic_id = ${clinic.clinic_id} and key = 'noa levi'`),
  )
  assert.deepEqual([await isUnheard(clinic), await isUnheard(other)], [true, false])
  await fillNameSounds(app, clinic)
  assert.equal(await isUnheard(clinic), false)
})

test('more keys than one transaction fills are all filled', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' })
  const { clinic_id } = clinic
  await owner.write(clinic, (tx) =>
    tx.query(sql`insert into patient_name (clinic_id, key, patient_id)
      select clinic_id, key || lpad(n::text, 4, '0'), patient_id from patient_name, generate_series(1, 1250) n where clinic_id = ${clinic_id}`),
  )
  assert.equal(await fillNameSounds(app, clinic), 2500)
})
