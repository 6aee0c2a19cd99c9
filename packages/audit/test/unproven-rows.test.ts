// An audit chain whose key was lost goes on under another one, and what it shows without a key it still shows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Statement, sql, utcSession } from '@clinic-data/database'
import {
  add,
  assertBroken,
  assertSound,
  FIRST,
  KEY_B,
  keysOf,
  owner,
  Rounds,
  sealed,
  THREE,
  TWO,
} from '@clinic-data/testing/grounds/audit-ground'
import { takeOverHead } from '../src/unproven-rows.ts'

const keys = keysOf(KEY_B)
const takeOver = (clinic_id: string, lost: string) =>
  owner.write(utcSession(clinic_id), (tx) => takeOverHead(tx, clinic_id, { keys, isLost: (id) => id === lost }))

test('a chain whose key was lost goes on under another one, and a head of a key that is there stays', async () => {
  const { clinic } = await sealed()
  assert.equal(await takeOver(clinic.clinic_id, 'z'), false)
  await assertSound(clinic, 2, 4)
  assert.equal(await takeOver(clinic.clinic_id, 'a'), true)
  await assertSound(clinic, 2, 4, { keys })
  const rounds = new Rounds(keys)
  await add(clinic, `${THREE} 10:00Z`)
  await rounds.next(clinic)
  assert.equal(await rounds.next(clinic), 1)
  await assertSound(clinic, 3, 5, { keys })
})

const tampers: readonly [what: string, number: number, reason: RegExp, (id: string) => readonly Statement[]][] = [
  [
    'a changed row',
    1,
    /rows were changed/,
    (id) => [sql`update audit set status = 403 where clinic_id = ${id} and stored_at = ${FIRST}`],
  ],
  [
    'the last seal gone with its rows',
    2,
    /went on to seal 2/,
    (id) => [
      sql`delete from audit where clinic_id = ${id} and stored_at = ${`${TWO} 09:00Z`}`,
      sql`delete from audit_seal where clinic_id = ${id} and number = 2`,
    ],
  ],
  ['the head gone', 1, /head of the chain is missing/, (id) => [sql`delete from audit_head where clinic_id = ${id}`]],
]

for (const [what, number, reason, statements] of tampers) {
  test(`found although the key was lost: ${what}`, async () => {
    const { clinic } = await sealed()
    for (const statement of statements(clinic.clinic_id)) await owner.query(statement)
    await takeOver(clinic.clinic_id, 'a')
    await assertBroken(clinic, number, reason, { keys })
  })
}
