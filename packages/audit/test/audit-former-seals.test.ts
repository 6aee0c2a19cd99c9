// The seals of the first versions: an upgrade carries them over, and every change of a row that they cover is still found.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { migrate } from '@clinic-data/database/schema/migrate'
import {
  add,
  app,
  assertBroken,
  assertSound,
  ONE,
  owner,
  row,
  sealed,
  THREE,
  TWO,
} from '@clinic-data/testing/grounds/audit-ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { verifyFormerSeals } from '../src/former-seals.ts'

const TIMES = [`${ONE} 10:00:00.000001Z`, `${ONE} 10:00:00.000002Z`, `${TWO} 09:00Z`, `${TWO} 09:00Z`]

/** Seals the rows of each day as the first versions did. @returns the seals' hashes. */
async function sealAsFormerly(owner: Database, { clinic_id }: Clinic, table: string): Promise<string[]> {
  const hashes: string[] = []
  await owner.maintain(async (tx) => {
    // The zone decides how times are printed.
    await tx.script(`set local time zone 'UTC'`)
    const { rows } = await tx.query<{ stored_at: string; id: number; content: string }>(sql`
      select stored_at, id, json_build_array(stored_at, id, at, key_id, operation, surface, resource_ids, count, status,
        request_id, address)::text as content from audit where clinic_id = ${clinic_id} order by stored_at, id`)
    for (const [i, day] of [ONE, TWO].entries()) {
      const covered = rows.filter(({ stored_at }) => stored_at.startsWith(day))
      const [last, content] = [covered.at(-1), covered.map((one) => one.content)]
      hashes.push(hash('sha256', [hashes.at(-1) ?? '', i + 1, ...content].join('\n')))
      await tx.query(sql`insert into ${sql.identifier(table)}
        (clinic_id, number, last_stored_at, last_id, row_count, hash, sealed_at) values (${clinic_id}, ${i + 1},
        ${last?.stored_at ?? ''}, ${last?.id ?? 0}, ${covered.length}, ${hashes[i] ?? ''}, now())`)
    }
  })
  return hashes
}

async function formerlySealed(): Promise<{ clinic: Clinic; hashes: string[] }> {
  const clinic = await testClinic(owner)
  await add(clinic, ...TIMES)
  return { clinic, hashes: await sealAsFormerly(owner, clinic, 'audit_former_seal') }
}

test('an upgrade carries the former seals over, and they still match the rows', async () => {
  const before = schema.migrations.filter(({ id }) => id < '0021')
  const base = await ownGround({ migrations: before, tables: [] })
  const clinic = await testClinic(base.owner)
  await insert(base.owner, clinic, 'audit', ...TIMES.map((stored_at) => row(clinic, { stored_at })))
  await sealAsFormerly(base.owner, clinic, 'audit_seal')
  await migrate(base.owner, schema.migrations, { tables: schema.tables, log: () => undefined })
  const verification = { keptSince: null, expected: null }
  const verdict = await verifyFormerSeals(base.app, clinic.clinic_id, verification)
  assert.deepEqual([verdict.seals, verdict.rows, verdict.fault], [2, 4, null])
})

test('former seals are checked beside the present chain, and one that was kept elsewhere can be expected', async () => {
  const { clinic, hashes } = await formerlySealed()
  for (const [i, kept] of hashes.entries()) {
    const { former } = await assertSound(clinic, 0, 0, { expected: `${i + 1}.${kept}` })
    assert.deepEqual(former, { seals: 2, rows: 4 })
  }
  await assertBroken(clinic, 1, /expected head is not/, { expected: `1.${'0'.repeat(64)}` })
  const { former } = await assertSound((await sealed()).clinic, 2, 4)
  assert.deepEqual(former, { seals: 0, rows: 0 })
})

const ofDay = ({ clinic_id }: Clinic, day: string) =>
  sql`clinic_id = ${clinic_id} and (stored_at at time zone 'UTC')::date = ${day}::date`
const tampers: Record<string, [number: number, reason: RegExp, statement: (clinic: Clinic) => ReturnType<typeof sql>]> =
  {
    'a changed row': [
      1,
      /rows or the seal were changed/,
      (clinic) => sql`update audit set status = 403 where ${ofDay(clinic, ONE)}`,
    ],
    'rows that are gone': [
      2,
      /covers 2 rows of .*, 0 are there/,
      (clinic) => sql`delete from audit where ${ofDay(clinic, TWO)}`,
    ],
    'a changed seal': [
      2,
      /rows or the seal were changed/,
      ({ clinic_id }) =>
        sql`update audit_former_seal set hash = repeat('0', 64) where clinic_id = ${clinic_id} and number = 2`,
    ],
    'a seal that is gone': [
      1,
      /seal is missing/,
      ({ clinic_id }) => sql`delete from audit_former_seal where clinic_id = ${clinic_id} and number = 1`,
    ],
  }
for (const [what, [number, reason, statement]] of Object.entries(tampers)) {
  test(`${what} of the first versions is found`, async () => {
    const { clinic } = await formerlySealed()
    await owner.query(statement(clinic))
    await assertBroken(clinic, number, reason)
  })
}

test('former rows that the retention dropped are no fault, and a part of a day is', async () => {
  const { clinic } = await formerlySealed()
  await owner.query(sql`delete from audit where ${ofDay(clinic, ONE)}`)
  const { former } = await assertSound(clinic, 0, 0, { keptSince: TWO })
  assert.deepEqual(former, { seals: 2, rows: 2 })
  await assertBroken(clinic, 1, /0 are there/, { keptSince: ONE })
  await owner.query(sql`delete from audit where ${ofDay(clinic, TWO)} and id in
    (select max(id) from audit where clinic_id = ${clinic.clinic_id})`)
  await assertBroken(clinic, 2, /1 are there/, { keptSince: THREE })
})

test('the program can neither change nor remove a former seal', async () => {
  const { clinic } = await formerlySealed()
  for (const statement of [sql`update audit_former_seal set row_count = 1`, sql`delete from audit_former_seal`])
    await assert.rejects(app.write(clinic, (tx) => tx.query(statement)))
})
