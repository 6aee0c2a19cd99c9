// Tampering with a sealed audit log: every change is found at the first seal that it touches.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import {
  add,
  app,
  assertBroken,
  assertSound,
  FIRST,
  owner,
  sealed,
  THREE,
  TWO,
} from '@clinic-data/testing/grounds/audit-ground'
import { insert, type Row } from '@clinic-data/testing/grounds/rows'
import { rowsBehind, rowsHash, type SealedRow, sealHash } from '../src/audit-chain.ts'

type Tamper = (clinic_id: string) => Promise<unknown>

const dropLastSeal: Tamper = async (clinic_id) => {
  await owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at = ${`${TWO} 09:00Z`}`)
  await owner.query(sql`delete from audit_seal where clinic_id = ${clinic_id} and number = 2`)
}

const setHeadBack: Tamper = async (clinic_id) => {
  await dropLastSeal(clinic_id)
  await owner.query(sql`update audit_head set number = 1 where clinic_id = ${clinic_id}`)
}

const slipIn =
  (number: ReturnType<typeof sql>): Tamper =>
  (clinic_id) =>
    owner.query(sql`insert into audit (clinic_id, id, stored_at, at, key_id, operation, surface, resource_ids, count, status,
      request_id, address) overriding system value
      select clinic_id, ${number}, stored_at, at, key_id, operation, surface, resource_ids, count, status, request_id, address
      from audit where clinic_id = ${clinic_id} and stored_at = ${FIRST}`)

const statement =
  (of: (clinic_id: string) => ReturnType<typeof sql>): Tamper =>
  (clinic_id) =>
    owner.query(of(clinic_id))

const tampers: [what: string, number: number, reason: RegExp, Tamper][] = [
  [
    'a changed row',
    1,
    /rows were changed/,
    statement((id) => sql`update audit set status = 403 where clinic_id = ${id} and stored_at = ${FIRST}`),
  ],
  [
    'a changed list',
    1,
    /rows were changed/,
    statement((id) => sql`update audit set resource_ids = '{p1}' where clinic_id = ${id} and stored_at = ${FIRST}`),
  ],
  [
    'a row that is gone',
    1,
    /covers 2 rows of .*, 1 are there/,
    statement((id) => sql`delete from audit where clinic_id = ${id} and stored_at = ${FIRST}`),
  ],
  ['a row that was slipped in', 1, /3 are there/, slipIn(sql`id + 1`)],
  ['a row that was slipped in before all others', 1, /slipped in before/, slipIn(sql`0`)],
  ['one with the least number that there is', 1, /slipped in before/, slipIn(sql`-9223372036854775808`)],
  ['every row gone', 1, /are gone/, statement((id) => sql`delete from audit where clinic_id = ${id}`)],
  [
    'a seal that is gone',
    1,
    /seal is missing/,
    statement((id) => sql`delete from audit_seal where clinic_id = ${id} and number = 1`),
  ],
  [
    'a changed hash',
    2,
    /seal was changed/,
    statement((id) => sql`update audit_seal set hash = repeat('0', 64) where clinic_id = ${id} and number = 2`),
  ],
  [
    'a day that the retention would have dropped',
    1,
    /seal was changed/,
    statement((id) => sql`update audit_seal set day = '2020-01-01' where clinic_id = ${id} and number = 1`),
  ],
  ['the last seal gone with its rows', 2, /went on to seal 2/, dropLastSeal],
  ['the last seal gone with its rows, and the head set back', 2, /head was changed/, setHeadBack],
  [
    'the head gone',
    1,
    /head of the chain is missing/,
    statement((id) => sql`delete from audit_head where clinic_id = ${id}`),
  ],
  [
    'a seal after the head',
    3,
    /after the head/,
    statement(
      (id) => sql`insert into audit_seal select clinic_id, 3, last_id + 1, day, row_count, rows_hash, hash, sealed_at
      from audit_seal where clinic_id = ${id} and number = 2`,
    ),
  ],
]

for (const [what, number, reason, tamper] of tampers) {
  test(`found, at the first seal that it touches: ${what}`, async () => {
    const { clinic } = await sealed()
    await assertSound(clinic, 2, 4)
    await tamper(clinic.clinic_id)
    await assertBroken(clinic, number, reason)
  })
}

const changes: Readonly<Record<string, ReturnType<typeof sql>>> = {
  stored_at: sql`${FIRST}::timestamptz + interval '1 microsecond'`,
  at: sql`${FIRST}::timestamptz - interval '1 day'`,
  key_id: sql`'key_2'`,
  operation: sql`'patients.get'`,
  surface: sql`'mcp'`,
  count: sql`count + 1`,
  request_id: sql`'req_2'`,
  address: sql`'192.0.2.2'`,
}

for (const [column, value] of Object.entries(changes)) {
  test(`found, whatever a sealed row says otherwise: ${column}`, async () => {
    const { clinic } = await sealed()
    await owner.query(sql`update audit set ${sql.identifier(column)} = ${value}
      where clinic_id = ${clinic.clinic_id} and stored_at = ${FIRST}`)
    await assertBroken(clinic, 1, /rows were changed/)
  })
}

test('a seal that was made again for changed rows is found at the next one', async () => {
  const { clinic } = await sealed()
  const { clinic_id } = clinic
  const day =
    (
      await owner.query<{ last_id: number; day: string; row_count: number }>(
        sql`select last_id, day::text as day, row_count from audit_seal where clinic_id = ${clinic_id} and number = 1`,
      )
    ).rows[0] ?? assert.fail()
  await owner.query(sql`update audit set status = 403 where clinic_id = ${clinic_id} and stored_at = ${FIRST}`)
  const rows = await app.read<SealedRow>(utcSession(clinic_id), rowsBehind(clinic_id, 0, day.last_id, 10))
  const made = { ...day, number: 1, rows_hash: rowsHash(rows) }
  await owner.query(sql`update audit_seal set rows_hash = ${made.rows_hash}, hash = ${sealHash(clinic_id, '', made)}
    where clinic_id = ${clinic_id} and number = 1`)
  await assertBroken(clinic, 2, /seal was changed/)
})

test('a head is found changed by any part of its MAC', async () => {
  for (const place of [1, 33, 64]) {
    const { clinic } = await sealed()
    const { clinic_id } = clinic
    const { rows } = await owner.query<{ mac: string }>(sql`select mac from audit_head where clinic_id = ${clinic_id}`)
    const mac = rows[0]?.mac ?? assert.fail('there is no head')
    const other = mac[place - 1] === '0' ? '1' : '0'
    await owner.query(sql`update audit_head
      set mac = ${mac.slice(0, place - 1) + other + mac.slice(place)} where clinic_id = ${clinic_id}`)
    await assertBroken(clinic, 3, /head was changed/)
  }
})

test('a chain whose end was removed is not continued, because the next seal would hide it', async () => {
  const { clinic, rounds } = await sealed()
  await dropLastSeal(clinic.clinic_id)
  await add(clinic, `${THREE} 10:00Z`)
  await rounds.next(clinic)
  await assert.rejects(rounds.next(clinic), /is broken: the chain went on to seal 2/)
  await assertBroken(clinic, 2, /went on to seal 2/)
})

test('a chain whose head was removed is not continued either', async () => {
  const { clinic, rounds } = await sealed()
  await owner.query(sql`delete from audit_head where clinic_id = ${clinic.clinic_id}`)
  await add(clinic, `${THREE} 10:00Z`)
  await rounds.next(clinic)
  await assert.rejects(rounds.next(clinic), /is broken: the head of the chain is missing/)
})

test('restored older rows, seals and head are found by expecting a later head', async () => {
  const { clinic, rounds } = await sealed()
  const { clinic_id } = clinic
  const { head: older } = await assertSound(clinic, 2, 4)
  const copy = await owner.query<{ number: number; mac: string }>(
    sql`select number, mac from audit_head where clinic_id = ${clinic_id}`,
  )
  await add(clinic, `${THREE} 10:00Z`)
  await rounds.next(clinic)
  await rounds.next(clinic)
  const { head: later } = await assertSound(clinic, 3, 5, { expected: older })
  await assertSound(clinic, 3, 5, { expected: later })

  await owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at = ${`${THREE} 10:00Z`}`)
  await owner.query(sql`delete from audit_seal where clinic_id = ${clinic_id} and number = 3`)
  const { number, mac } = copy.rows[0] ?? assert.fail()
  await owner.query(sql`update audit_head set number = ${number}, mac = ${mac} where clinic_id = ${clinic_id}`)
  await assertSound(clinic, 2, 4)
  await assertBroken(clinic, 3, /expected head is not in the chain/, { expected: later })
  for (const table of ['audit', 'audit_seal', 'audit_head'])
    await owner.query(sql`delete from ${sql.identifier(table)} where clinic_id = ${clinic_id}`)
  await assertBroken(clinic, 1, /expected head is not in the chain/, { expected: later })
})

test("another clinic's chain does not match, even with its rows and head", async () => {
  const [{ clinic }, { clinic: other }] = [await sealed(), await sealed()]
  const { clinic_id } = clinic
  for (const table of ['audit_seal', 'audit_head'])
    await owner.query(sql`delete from ${sql.identifier(table)} where clinic_id = ${clinic_id}`)
  // Read and inserted: a cluster copies no rows from one clinic's shard to another's.
  for (const table of ['audit_seal', 'audit_head']) {
    const { rows } = await owner.query<{ row: Row }>(
      sql`select to_jsonb(taken) as row from ${sql.identifier(table)} as taken where clinic_id = ${other.clinic_id}`,
    )
    for (const { row } of rows) await insert(owner, clinic, table, { ...row, clinic_id })
  }
  await assertBroken(clinic, 1, /seal was changed/)
})
