// Which clinics a round of sealing looks at: those with rows that no seal covers, and no others.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { openDatabase } from '@clinic-data/database'
import {
  add,
  addSlowly,
  assertSound,
  FIRST,
  ONE,
  owner,
  ownerUrl,
  Rounds,
} from '@clinic-data/testing/grounds/audit-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'

const LATER = `${ONE} 11:00Z`

/** Two clinics whose rows are sealed, and rounds that know it. */
async function quiet() {
  const clinics: [Clinic, Clinic] = [await testClinic(owner), await testClinic(owner)]
  const rounds = new Rounds()
  for (const clinic of clinics) await add(clinic, FIRST)
  assert.deepEqual(await rounds.all(clinics), clinics)
  assert.deepEqual(await rounds.all(clinics), clinics)
  return { clinics, rounds }
}

test('a round does not look at clinics without new rows, and seals the new rows of the others', async () => {
  const { clinics, rounds } = await quiet()
  for (let round = 0; round < 3; round++) assert.deepEqual(await rounds.all(clinics), [])
  const [first, second] = clinics
  await add(second, LATER)
  for (let round = 0; round < 2; round++) assert.deepEqual(await rounds.all(clinics), [second])
  assert.deepEqual(await rounds.all(clinics), [])
  await assertSound(first, 1, 1)
  await assertSound(second, 2, 2)
})

test('after a restart a round looks at every clinic once, and then only at those with new rows', async () => {
  const { clinics } = await quiet()
  const rounds = new Rounds()
  assert.deepEqual(await rounds.all(clinics), clinics)
  const [first] = clinics
  await add(first, LATER)
  assert.deepEqual(await rounds.all(clinics), [first])
  await rounds.all(clinics)
  await assertSound(first, 2, 2)
})

test('a row with a slow statement is found, even if another clinic had a later row by then', async (t: TestContext) => {
  const { clinics, rounds } = await quiet()
  const [first, second] = clinics
  const commit = await addSlowly(t, first)
  await add(second, LATER)
  assert.deepEqual(await rounds.all(clinics), [second])
  await commit()
  assert.deepEqual(await rounds.all(clinics), clinics)
  await rounds.all(clinics)
  await assertSound(first, 2, 2)
})

test('a clinic that cannot be sealed for some rounds is looked at until it can', async () => {
  const { clinics, rounds } = await quiet()
  const [first, second] = clinics
  await add(first, LATER)
  await add(second, LATER)
  for (let round = 0; round < 5; round++)
    for (const clinic of await rounds.unsealed(clinics)) if (clinic === second) await rounds.seal(clinic)
  await rounds.all(clinics)
  await rounds.all(clinics)
  await assertSound(first, 2, 2)
})

test('a round that cannot ask the database leaves its rows to the next', async () => {
  const { clinics, rounds } = await quiet()
  const [first, second] = clinics
  const closed = await openDatabase({ url: ownerUrl })
  await closed.close()
  await add(second, LATER)
  assert.deepEqual(await rounds.unsealed(clinics), [second])
  // This round has asked already, and sees the later of both rows.
  await add(first, LATER)
  await add(second, LATER)
  await rounds.seal(second)
  await assert.rejects(rounds.unsealed(clinics, undefined, closed))
  await rounds.all(clinics)
  await rounds.all(clinics)
  await assertSound(first, 2, 2)
})

test('two looks of one moment are one round', async () => {
  const { clinics, rounds } = await quiet()
  await add(clinics[0], LATER)
  assert.deepEqual(await rounds.unsealed(clinics, 44_999), [])
  assert.deepEqual(await rounds.unsealed(clinics, 1), [clinics[0]])
})

test('what no seal covers yet is told: how many rows, and when the oldest was stored', async () => {
  const { clinics, rounds } = await quiet()
  assert.deepEqual(rounds.waiting, { rows: 0, oldestAt: null })
  for (const clinic of clinics) await add(clinic, LATER, `${ONE} 12:00Z`)
  await rounds.all(clinics)
  assert.deepEqual(rounds.waiting, { rows: 4, oldestAt: Date.parse(`${ONE}T11:00:00Z`) })
  await rounds.all(clinics)
  assert.deepEqual(rounds.waiting, { rows: 0, oldestAt: null })
})

test('of several clinics the oldest row that no seal covers is told, whichever was looked at last', async () => {
  const { clinics, rounds } = await quiet()
  const [first, second] = clinics
  await add(first, LATER)
  await add(second, `${ONE} 12:00Z`)
  await rounds.all(clinics)
  assert.deepEqual(rounds.waiting, { rows: 2, oldestAt: Date.parse(`${ONE}T11:00:00Z`) })
})
