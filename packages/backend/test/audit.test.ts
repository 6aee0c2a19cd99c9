// The audit log: rows that are added and never changed, days that end, and the chain that finds what was tampered with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditRow, Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { sealAudit, verifyAudit } from '../src/audit-seal.ts'
import { createBackend } from '../src/backend.ts'
import { insert } from './rows.ts'
import { failingLog, testClinic, testDatabase } from './test-database.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date(), log: failingLog, auditRetentionDays: 30 })

const row = ({ clinic_id }: Clinic, changes: Partial<AuditRow> = {}): AuditRow => ({
  ...{ at: '2026-07-12T06:30:00.123Z', clinic_id, key_id: 'key_1', operation: 'patients.list', surface: 'rest' },
  ...{ resource_ids: ['p1', 'p"2,{}'], count: 2, status: 200, request_id: 'req_1', address: '192.0.2.1' },
  ...changes,
})

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

test('a batch beyond what one statement can hold is stored whole', async () => {
  const clinic = await testClinic(owner)
  await backend.audit(Array.from({ length: 7000 }, (_, n) => row(clinic, { request_id: `req_${n}` })))
  assert.equal((await stored(clinic)).length, 7000)
})

test('the program can neither change nor delete what it has stored, nor add any before now', async () => {
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

test('days older than the retention are dropped, the coming ones are there, and the program cannot shorten 30 days', async () => {
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
  await app.append(sql`select maintain_audit(null)`)
  assert.equal((await stored(clinic)).length, 2)
  await app.append(sql`select maintain_audit(1)`)
  const { rows } = await owner.query<{ name: string }>(sql`select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'audit'::regclass`)
  const names = rows.map(({ name }) => name)
  assert.ok(!names.includes(old.name))
  assert.ok(names.includes(kept.name))
  for (const age of [0, -1, -7]) assert.ok(names.includes((await day(age)).name))
  assert.equal((await stored(clinic)).length, 1)
  await owner.maintain((tx) => tx.script(`drop table ${kept.name}`))
})

const OLD = [
  '2026-03-01 10:00:00.000001Z',
  '2026-03-01 10:00:00.000002Z',
  '2026-03-02 09:00:00Z',
  '2026-03-02 09:00:00Z',
]

async function sealed(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  const rows = OLD.map((stored_at, n) => ({ ...row(clinic, { request_id: `req_${n}` }), stored_at }))
  await insert(owner, clinic, 'audit', ...rows)
  assert.equal(await sealAudit(app, clinic.clinic_id, new Date()), 4)
  return clinic
}

test('the chain covers what has settled, one seal a day at most, and goes on where it ended', async () => {
  const clinic = await sealed()
  const { clinic_id } = clinic
  assert.equal(await sealAudit(app, clinic_id, new Date()), 0)
  await backend.audit([row(clinic)])
  assert.equal(await sealAudit(app, clinic_id, new Date(Date.now() + 3_600_000)), 0)
  const before = await verifyAudit(app, clinic_id, null)
  assert.ok(before.sound)
  assert.deepEqual([before.seals, before.rows], [2, 4])
  await insert(owner, clinic, 'audit', { ...row(clinic), stored_at: '2026-03-03 10:00:00Z' })
  assert.equal(await sealAudit(app, clinic_id, new Date()), 1)
  const after = await verifyAudit(app, clinic_id, null)
  assert.ok(after.sound)
  assert.deepEqual([after.seals, after.rows], [3, 5])
  assert.notEqual(after.hash, before.hash)
})

test('two who seal at once make one chain', async () => {
  const clinic = await testClinic(owner)
  const rows = OLD.map((stored_at) => ({ ...row(clinic), stored_at }))
  await insert(owner, clinic, 'audit', ...rows)
  const counts = await Promise.all([1, 2, 3].map(() => sealAudit(app, clinic.clinic_id, new Date())))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    4,
  )
  const verdict = await verifyAudit(app, clinic.clinic_id, null)
  assert.ok(verdict.sound)
  assert.deepEqual([verdict.seals, verdict.rows], [2, 4])
})

test('whatever is changed, removed or slipped in is found at the first seal that it touches', async () => {
  const first = '2026-03-01 10:00:00.000001Z'
  const tampers: [number, (clinic: Clinic) => Promise<unknown>][] = [
    [
      1,
      ({ clinic_id }) =>
        owner.query(sql`update audit set status = 403 where clinic_id = ${clinic_id} and stored_at = ${first}`),
    ],
    [
      1,
      ({ clinic_id }) =>
        owner.query(
          sql`update audit set resource_ids = '{p1}' where clinic_id = ${clinic_id} and stored_at = ${first}`,
        ),
    ],
    [1, ({ clinic_id }) => owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at = ${first}`)],
    [2, (clinic) => insert(owner, clinic, 'audit', { ...row(clinic), stored_at: '2026-03-02 08:00:00Z' })],
    [1, ({ clinic_id }) => owner.query(sql`delete from audit_seal where clinic_id = ${clinic_id} and number = 1`)],
    [
      2,
      ({ clinic_id }) =>
        owner.query(sql`update audit_seal set hash = repeat('0', 64) where clinic_id = ${clinic_id} and number = 2`),
    ],
    [1, ({ clinic_id }) => owner.query(sql`delete from audit where clinic_id = ${clinic_id}`)],
  ]
  for (const [number, tamper] of tampers) {
    const clinic = await sealed()
    await tamper(clinic)
    const verdict = await verifyAudit(app, clinic.clinic_id, null)
    assert.ok(!verdict.sound)
    assert.equal(verdict.number, number)
  }
})

test('days that the retention has dropped do not break the chain, days that it has not do', async () => {
  const clinic = await sealed()
  const { clinic_id } = clinic
  await owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at < '2026-03-02Z'`)
  const verdict = await verifyAudit(app, clinic_id, new Date('2026-03-02T00:00:00Z'))
  assert.ok(verdict.sound)
  assert.deepEqual([verdict.seals, verdict.rows], [2, 2])
  const early = await verifyAudit(app, clinic_id, new Date('2026-03-01T23:59:59Z'))
  assert.ok(!early.sound && early.number === 1)
})
