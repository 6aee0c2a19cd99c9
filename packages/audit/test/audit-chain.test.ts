// The audit chain: every stored row is sealed once, even with a wrong clock, and the chain stays valid after rotation and retention.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '@clinic-data/database'
import {
  add,
  addSlowly,
  assertBroken,
  assertSound,
  DAYS,
  entry,
  FIRST,
  KEY_A,
  KEY_B,
  keysOf,
  ONE,
  owner,
  Rounds,
  sealed,
  THREE,
  TWO,
} from '@clinic-data/testing/grounds/audit-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'

test('each row is sealed once, even those of one instant, with at most one day per seal, and the chain continues at its end', async () => {
  const { clinic, rounds } = await sealed()
  const before = await assertSound(clinic, 2, 4)
  assert.equal(await rounds.next(clinic), 0)
  await add(clinic, `${THREE} 10:00Z`)
  assert.equal(await rounds.next(clinic), 0)
  assert.equal(await rounds.next(clinic), 1)
  const after = await assertSound(clinic, 3, 5)
  assert.notEqual(after.head, before.head)
  assert.match(after.head ?? '', /^3\.[0-9a-f]{64}$/)
})

test('a row is sealed 45 seconds after it was seen at the earliest, by the clock that does not jump', async () => {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  await add(clinic, `${ONE} 10:00Z`)
  assert.equal(await rounds.next(clinic), 0)
  assert.equal(await rounds.next(clinic, 44_999), 0)
  assert.equal(await rounds.next(clinic, 1), 1)
})

test('a row with a slow statement is sealed in its place and not left behind', async (t: TestContext) => {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  const commit = await addSlowly(t, clinic)
  await add(clinic, `${ONE} 10:00Z`)
  assert.equal(await rounds.next(clinic), 0)
  await commit()
  assert.equal(await rounds.next(clinic), 2)
  const { rows } = await owner.query<{ key_id: string }>(
    sql`select key_id from audit where clinic_id = ${clinic.clinic_id} order by id limit 1`,
  )
  assert.equal(rows[0]?.key_id, 'slow')
  await assertSound(clinic, 2, 2)
})

test('a clock that jumps ahead and back breaks nothing, and all stored rows are sealed', async () => {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  const minutes = (hour: number, from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `${ONE} ${hour}:${String(from + n).padStart(2, '0')}:00Z`)
  await rounds.next(clinic)
  for (const times of [
    minutes(22, 0, 5),
    minutes(23, 5, 8),
    minutes(22, 8, 20),
    [`${TWO} 01:00Z`],
    minutes(22, 20, 30),
  ]) {
    await add(clinic, ...times)
    await rounds.next(clinic)
  }
  await rounds.next(clinic)
  await assertSound(clinic, 5, 5 + 3 + 12 + 1 + 10)
})

test('two simultaneous sealers make one chain', async () => {
  const clinic = await testClinic(owner)
  await add(clinic, FIRST, ...DAYS)
  const three = [new Rounds(), new Rounds(), new Rounds()]
  for (const rounds of three) await rounds.next(clinic)
  const counts = await Promise.all(three.map((rounds) => rounds.next(clinic)))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    4,
  )
  await assertSound(clinic, 2, 4)
})

test('after a rotation the new key renews the head, and the old key is no longer needed', async () => {
  const { clinic } = await sealed()
  const both = keysOf(KEY_B, KEY_A)
  await assertSound(clinic, 2, 4, { keys: both })
  await assertBroken(clinic, 3, /SECRET_KEYS lacks the key of the head/, { keys: keysOf(KEY_B) })
  const rounds = new Rounds(both)
  await rounds.next(clinic)
  assert.equal(await rounds.next(clinic), 0)
  await assertSound(clinic, 2, 4, { keys: keysOf(KEY_B) })
  await assertBroken(clinic, 3, /head was changed/, { keys: keysOf(entry('b')) })
})

test('days that the retention dropped do not break the chain, other missing days do', async () => {
  const { clinic } = await sealed()
  const { clinic_id } = clinic
  const complete = await assertSound(clinic, 2, 4, { keptSince: TWO })
  assert.equal(complete.since, null)
  await owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at < ${`${TWO}T00:00Z`}`)
  const { since, head } = await assertSound(clinic, 2, 2, { keptSince: TWO })
  assert.deepEqual([since, head], [TWO, complete.head])
  await assertBroken(clinic, 1, /2 rows of .* are gone/, { keptSince: ONE })
  await assertBroken(clinic, 1, /are gone/)
  await owner.query(sql`delete from audit where clinic_id = ${clinic_id}
    and id = (select max(id) from audit where clinic_id = ${clinic_id})`)
  await assertBroken(clinic, 2, /1 are there/, { keptSince: THREE })
})
