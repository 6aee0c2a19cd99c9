// Packing the days of the audit log: each row stands in exactly one place, reads as before, and is proven by the same seals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { openDatabase, sql, utcSession } from '@clinic-data/database'
import {
  app,
  dayBefore,
  daysBehind,
  hasPartition,
  makeDay,
  now,
  owner,
  ownerUrl,
  partitionOf,
  seal,
  sealedClinic,
  store,
  verify,
} from '@clinic-data/testing/grounds/packed-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { maintainAudit } from '../src/audit.ts'
import { sealedRows } from '../src/sealed-rows.ts'
import { dropPackedDays, packDays } from '../src/segments/pack-days.ts'
import { prepareSegments } from '../src/segments/prepare-segments.ts'

const EVERYTHING = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 1_000 }
const read = async ({ clinic_id }: Clinic) => {
  const rows = await sealedRows(app, clinic_id, EVERYTHING)
  return rows.map(({ id, day, content, duration_ms }) => ({ id, day, content, duration_ms }))
}

const rowsInTable = async ({ clinic_id }: Clinic) =>
  (await owner.read(utcSession(clinic_id), sql`select from audit where clinic_id = ${clinic_id}`)).length

const segmentsOf = async ({ clinic_id }: Clinic) =>
  (await owner.read(utcSession(clinic_id), sql`select from audit_segment where clinic_id = ${clinic_id}`)).length

const pack = () => packDays(owner, now)

const nextDay = daysBehind(1100)

test('a day that has ended gives way to its segments, and its rows read and prove as before', async () => {
  const day = await nextDay()
  const clinic = await sealedClinic(
    { stored_at: `${day} 00:00:00Z` },
    { stored_at: `${day} 09:00:00.1Z`, resource_ids: ['p"2,{}\\', 'ü', '漢字 \u2028\u0001\n\t'], duration_ms: null },
    { stored_at: `${day} 09:00:00.100001Z`, resource_ids: [], status: 500, surface: 'mcp', key_id: 'operator:a\tb\nc' },
    { stored_at: `${day} 08:59:59.999999Z`, resource_ids: ['', 'p1', '', 'not-found'], status: 404, request_id: '' },
    { stored_at: `${day} 23:59:59.999999Z`, resource_ids: Array.from({ length: 300 }, (_, n) => `p${n}`) },
  )
  const before = await read(clinic)
  assert.equal(before.length, 5)
  await pack()
  assert.deepEqual([await rowsInTable(clinic), await segmentsOf(clinic), await hasPartition(day)], [0, 1, false])
  assert.deepEqual(await read(clinic), before)
  const verdict = await verify(clinic)
  assert.ok(verdict.sound, JSON.stringify(verdict))
  assert.deepEqual([verdict.seals, verdict.rows], [1, 5])
})

test('the day that has not ended for six hours stays as it is', async () => {
  const day = await nextDay()
  const clinic = await sealedClinic({ stored_at: `${day} 09:00Z` })
  const end = Date.parse(`${day}T00:00:00Z`) + 30 * 60 * 60 * 1000
  const early = await packDays(owner, new Date(end - 1))
  assert.ok(!early.waiting.includes(day))
  assert.equal(await rowsInTable(clinic), 1)
  await packDays(owner, new Date(end))
  assert.equal(await rowsInTable(clinic), 0)
})

test('a day waits for the seals of all its clinics', async () => {
  const day = await nextDay()
  const ready = await sealedClinic({ stored_at: `${day} 09:00Z` })
  const late = await testClinic(owner)
  await store(late, { stored_at: `${day} 10:00Z` })
  assert.ok((await pack()).waiting.includes(day))
  assert.deepEqual([await rowsInTable(ready), await rowsInTable(late)], [1, 1])
  await seal(late)
  await pack()
  assert.deepEqual([await rowsInTable(ready), await rowsInTable(late)], [0, 0])
  assert.deepEqual([(await read(ready)).length, (await read(late)).length], [1, 1])
})

test('segments that are made while their day waits are not read beside the rows', async () => {
  const day = await nextDay()
  const clinic = await sealedClinic({ stored_at: `${day} 09:00Z` }, { stored_at: `${day} 10:00Z` })
  assert.equal(await prepareSegments(owner, { clinic_id: clinic.clinic_id, day }, 2), true)
  assert.equal(await segmentsOf(clinic), 1)
  assert.equal((await read(clinic)).length, 2)
  const verdict = await verify(clinic)
  assert.ok(verdict.sound && verdict.rows === 2, JSON.stringify(verdict))
})

test('a row that comes to a day after its segments were made keeps the day as it is until it is sealed too', async () => {
  const day = await nextDay()
  const clinic = await sealedClinic({ stored_at: `${day} 09:00Z` })
  await prepareSegments(owner, { clinic_id: clinic.clinic_id, day }, 1)
  await store(clinic, { stored_at: `${day} 11:00Z` })
  assert.ok((await pack()).waiting.includes(day))
  assert.equal(await rowsInTable(clinic), 2)
  await seal(clinic)
  await pack()
  assert.deepEqual([await rowsInTable(clinic), await segmentsOf(clinic), (await read(clinic)).length], [0, 2, 2])
})

test('a row that comes to a packed day stands in the table, is sealed there and is read between the others', async () => {
  const day = await nextDay()
  const clinic = await sealedClinic({ stored_at: `${day} 09:00Z` })
  await pack()
  await store(clinic, { stored_at: `${day} 10:00Z` })
  await seal(clinic)
  await pack()
  assert.equal(await rowsInTable(clinic), 1)
  assert.equal((await read(clinic)).length, 2)
  const verdict = await verify(clinic)
  assert.ok(verdict.sound && verdict.rows === 2, JSON.stringify(verdict))
})

test('a day is packed once: rows in a partition that it gets again stay there, and stand in one place', async () => {
  const day = await nextDay()
  const first = await sealedClinic({ stored_at: `${day} 09:00Z` })
  await pack()
  await makeDay(day)
  const later = await sealedClinic({ stored_at: `${day} 10:00Z` })
  await pack()
  assert.equal(await prepareSegments(owner, { clinic_id: later.clinic_id, day }, 1), true)
  assert.deepEqual([await rowsInTable(later), await segmentsOf(later)], [1, 0])
  assert.deepEqual([(await read(first)).length, (await read(later)).length], [1, 1])
})

test('rows that are not those that were sealed are never packed, and the other clinics’ segments are made all the same', async () => {
  const day = await nextDay()
  const changed = await sealedClinic({ stored_at: `${day} 09:00Z` })
  const other = await sealedClinic({ stored_at: `${day} 09:00Z` })
  const { clinic_id } = changed
  await owner.query(sql`update audit set status = 403 where clinic_id = ${clinic_id}`)
  const { failures } = await pack()
  assert.ok(
    failures.some(({ message }) => message.includes(`${clinic_id} cannot be packed: the rows of seal 1 were changed`)),
  )
  assert.deepEqual([await rowsInTable(changed), await segmentsOf(changed), await segmentsOf(other)], [1, 0, 1])
  assert.equal(await rowsInTable(other), 1)
  await owner.query(sql`update audit set status = 200 where clinic_id = ${clinic_id}`)
  await pack()
  assert.equal(await rowsInTable(other), 0)
})

test('a day gives way at a moment when nobody uses the log, and lets nobody wait for long', async () => {
  const day = await nextDay()
  const clinic = await sealedClinic({ stored_at: `${day} 09:00Z` })
  const reader = await openDatabase({ url: ownerUrl })
  try {
    await reader.maintain(async (tx) => {
      await tx.query(sql`select from audit limit 1`)
      const { waiting, failures } = await pack()
      assert.deepEqual([waiting.includes(day), failures], [true, []])
      assert.equal(await rowsInTable(clinic), 1)
    })
  } finally {
    await reader.close()
  }
  await pack()
  assert.equal(await rowsInTable(clinic), 0)
})

test('two dispatchers pack a day once', async () => {
  const day = await nextDay()
  const clinic = await sealedClinic({ stored_at: `${day} 09:00Z` }, { stored_at: `${day} 10:00Z` })
  await Promise.all([pack(), pack()])
  await pack()
  assert.deepEqual([await rowsInTable(clinic), await segmentsOf(clinic), (await read(clinic)).length], [0, 1, 2])
})

test('a clinic that the first versions sealed keeps the days up to then as rows', async () => {
  const day = await nextDay()
  const clinic = await sealedClinic({ stored_at: `${day} 09:00Z` })
  await owner.query(sql`insert into audit_former_seal
    (clinic_id, number, last_stored_at, last_id, row_count, hash, sealed_at)
    select clinic_id, 1, stored_at, id, 1, repeat('0', 64), now() from audit where clinic_id = ${clinic.clinic_id}`)
  assert.ok((await pack()).waiting.includes(day))
  assert.equal(await rowsInTable(clinic), 1)
  await owner.query(sql`delete from audit_former_seal where clinic_id = ${clinic.clinic_id}`)
})

test('the retention drops packed days whole, and none that is younger than 30 days', async () => {
  const [old, young] = [dayBefore(80), dayBefore(29)]
  for (const day of [old, young]) await makeDay(day)
  const clinic = await sealedClinic({ stored_at: `${old} 09:00Z` }, { stored_at: `${young} 09:00Z` })
  await pack()
  assert.equal((await read(clinic)).length, 2)
  await dropPackedDays(owner, 1)
  assert.deepEqual([(await read(clinic)).map((row) => row.day), await segmentsOf(clinic)], [[young], 1])
  const verdict = await verify(clinic, { keptSince: young })
  assert.ok(verdict.sound && verdict.rows === 1, JSON.stringify(verdict))
  assert.equal(verdict.since, young)
})

test('segments of a day that never gave way end with its rows', async () => {
  const day = await nextDay()
  const ready = await sealedClinic({ stored_at: `${day} 09:00Z` })
  await store(await testClinic(owner), { stored_at: `${day} 10:00Z` })
  await pack()
  assert.equal(await segmentsOf(ready), 1)
  await maintainAudit(owner, 30)
  assert.deepEqual([await rowsInTable(ready), await segmentsOf(ready)], [0, 0])
})

test('segments that overlap do not keep a day waiting for ever: they are made anew', async () => {
  const day = await nextDay()
  const clinic = await sealedClinic({ stored_at: `${day} 09:00Z` })
  const { clinic_id } = clinic
  await prepareSegments(owner, { clinic_id, day }, 1)
  // As a slower dispatcher leaves it, which has read the seals before the late row came.
  await owner.query(
    sql`update audit_segment set last_id = last_id - 1, first_id = first_id - 1 where clinic_id = ${clinic_id}`,
  )
  await owner.query(sql`update audit_segment_names set last_id = last_id - 1 where clinic_id = ${clinic_id}`)
  await pack()
  assert.deepEqual([await rowsInTable(clinic), await segmentsOf(clinic)], [1, 0])
  await pack()
  assert.deepEqual([await rowsInTable(clinic), await segmentsOf(clinic)], [0, 1])
})

test('a day that cannot give way does not keep the later ones waiting', async (t) => {
  const [later, day] = [await nextDay(), await nextDay()]
  const [first, second] = [
    await sealedClinic({ stored_at: `${day} 09:00Z` }),
    await sealedClinic({ stored_at: `${later} 09:00Z` }),
  ]
  t.after(() => owner.query(sql`drop view if exists seen_day`))
  await owner.query(sql`create view seen_day as select from ${sql.identifier(partitionOf(day))}`)
  const { failures } = await pack()
  assert.ok(failures.some(({ message }) => message.includes('cannot drop table')))
  assert.deepEqual([await rowsInTable(first), await rowsInTable(second)], [1, 0])
  await owner.query(sql`drop view seen_day`)
  await pack()
  assert.equal(await rowsInTable(first), 0)
})

test('another clinic’s segments are not read', async () => {
  const day = await nextDay()
  const [clinic, other] = [await sealedClinic({ stored_at: `${day} 09:00Z` }), await testClinic(owner)]
  await pack()
  for (const table of ['audit_segment', 'audit_segment_names'])
    assert.deepEqual(
      await app.read(
        utcSession(other.clinic_id),
        sql`select from ${sql.identifier(table)} where clinic_id = ${clinic.clinic_id}`,
      ),
      [],
    )
})
