// The audit log: rows that are added and never changed, and days that end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maintainAudit } from '@clinic-data/audit/audit'
import type { AuditRow, Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { app, owner, row } from '@clinic-data/testing/grounds/audit-ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const backend = createBackend({ database: app, now: () => new Date(), log: failingLog })

const stored = (clinic: Clinic) =>
  app.read<{ request_id: string; resource_ids: string[] }>(
    clinic,
    sql`select request_id, resource_ids from audit where clinic_id = ${clinic.clinic_id} order by stored_at, id`,
  )

test('rows of several clinics are stored in one batch, and each clinic sees its own', async () => {
  const [one, other] = [await testClinic(owner), await testClinic(owner)]
  await backend.audit([
    row(one),
    row(other, { request_id: 'req_2', resource_ids: [] }),
    row(one, { request_id: 'req_3' }),
  ])
  const ids = ['p1', 'p"2,{}']
  assert.deepEqual(await stored(one), [
    { request_id: 'req_1', resource_ids: ids },
    { request_id: 'req_3', resource_ids: ids },
  ])
  assert.deepEqual(await stored(other), [{ request_id: 'req_2', resource_ids: [] }])
  await backend.audit([])
})

test('rows about writes, refusals and unknown operations are on disk when they are stored', async (t) => {
  const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
  if (citus.length > 0) return t.skip('the workers write the rows')
  const clinic = await testClinic(owner)
  const isOnDisk = async (...rows: AuditRow[]) => {
    // Nothing else waits for the disk, so a part of this is still in memory.
    await backend.audit(Array.from({ length: 500 }, () => row(clinic)))
    const { rows: written } = await owner.query<{ at: string }>(sql`select pg_current_wal_insert_lsn()::text as at`)
    await backend.audit(rows)
    const { rows: flushed } = await owner.query<{ on_disk: boolean }>(
      sql`select pg_current_wal_flush_lsn() >= ${written[0]?.at ?? assert.fail()}::pg_lsn as on_disk`,
    )
    return flushed[0]?.on_disk
  }
  assert.equal(await isOnDisk(row(clinic), row(clinic, { operation: 'leads.create' })), true)
  assert.equal(await isOnDisk(row(clinic, { status: 403 }), row(clinic)), true)
  assert.equal(await isOnDisk(row(clinic, { operation: 'crm.lead' })), true)
})

test("a batch beyond one statement's limit is stored whole", async () => {
  const clinic = await testClinic(owner)
  await backend.audit(Array.from({ length: 7000 }, (_, n) => row(clinic, { request_id: `req_${n}` })))
  assert.equal((await stored(clinic)).length, 7000)
})

test('the program can neither change nor delete stored rows, nor add older ones', async () => {
  const clinic = await testClinic(owner)
  await backend.audit([row(clinic)])
  const { clinic_id } = clinic
  const forbidden = [
    sql`update audit set status = 500 where clinic_id = ${clinic_id}`,
    sql`delete from audit where clinic_id = ${clinic_id}`,
    sql`update audit_seal set hash = '' where clinic_id = ${clinic_id}`,
    sql`delete from audit_seal where clinic_id = ${clinic_id}`,
    sql`select * from audit_rest`,
    sql`insert into audit (clinic_id, stored_at, at, key_id, operation, surface, resource_ids, count, status, request_id,
      address) values (${clinic_id}, now() - interval '30 seconds', now(), '', '', 'rest', '{}', 0, 200, '', '')`,
    sql`drop table audit_rest`,
  ]
  for (const statement of forbidden) {
    await assert.rejects(
      app.write(clinic, (tx) => tx.query(statement)),
      /permission denied|must be owner|row-level security/,
    )
  }
})

test('days older than the retention are dropped, coming ones exist, and the program cannot go below 30 days', async () => {
  const clinic = await testClinic(owner)
  const day = async (age: number) => {
    const { rows } = await owner.query<{ name: string; from: string; to: string }>(sql`
      select 'audit_' || to_char(day, 'YYYYMMDD') as name, day::text as from, (day + 1)::text as to
      from (select (now() at time zone 'UTC')::date - ${age}::integer as day) days`)
    return rows[0] ?? assert.fail()
  }
  const [old, kept] = [await day(31), await day(30)]
  for (const { name, from, to } of [old, kept]) {
    await owner.maintain((tx) =>
      tx.script(`create table ${name} partition of audit for values from ('${from} 00:00Z') to ('${to} 00:00Z')`),
    )
  }
  const audited = { ...row(clinic), stored_at: `${(await day(40)).from}T12:00:00Z` }
  await insert(owner, clinic, 'audit', audited, { ...audited, stored_at: `${kept.from}T12:00:00Z` })
  await maintainAudit(owner, null)
  assert.equal((await stored(clinic)).length, 2)
  await maintainAudit(owner, 1)
  const { rows } = await owner.query<{ name: string }>(sql`select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'audit'::regclass`)
  const names = rows.map(({ name }) => name)
  assert.ok(!names.includes(old.name))
  assert.ok(names.includes(kept.name))
  for (const age of [0, -1, -7]) assert.ok(names.includes((await day(age)).name))
  assert.equal((await stored(clinic)).length, 1)
  await owner.maintain((tx) => tx.script(`drop table ${kept.name}`))
})
