// Stored times: local dates, providers' copies of appointments, the catalog, weekly hours and time off.
import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { appointmentStatusKind, appointmentTypeKind } from '../src/catalog.ts'
import { checkProviderWeek, storeTimeOff, storeWorkingHours } from '../src/schedule.ts'
import { counted } from './counted.ts'
import { app, appointment, clinicWithCatalog, owner, rowsOf, storingAppointments, UPDATED } from './records-ground.ts'

test("local dates are the clinic's, of the instant as it is shown", async () => {
  const clinic = await clinicWithCatalog()
  await storingAppointments(clinic, [
    appointment('a1', { start: '2026-03-01T22:30:00Z', end: '2026-03-01T23:00:00Z' }),
    appointment('a2', { start: '2026-03-01T21:59:59.700Z', end: null, created_at: '2026-01-05T21:59:59.9999Z' }),
    appointment('a3', { start: '2026-03-02', end: null }),
    appointment('a4', { start: null, end: null }),
  ])
  const rows = await rowsOf(clinic, sql`select id, start_date, created_date, start from appointment order by id`)
  assert.deepEqual(rows, [
    { id: 'a1', start_date: '2026-03-02', created_date: '2026-01-05', start: '2026-03-02 00:30:00+02' },
    { id: 'a2', start_date: '2026-03-02', created_date: '2026-01-06', start: '2026-03-02 00:00:00+02' },
    { id: 'a3', start_date: '2026-03-02', created_date: '2026-01-05', start: '2026-03-02 00:00:00+02' },
    { id: 'a4', start_date: null, created_date: '2026-01-05', start: null },
  ])
})

test("a provider's copy follows the appointment: its times, and whether it takes any", async () => {
  const clinic = await clinicWithCatalog()
  const copies = () =>
    rowsOf(
      clinic,
      sql`select provider_id, position, busy, start_sort = '2026-03-05T08:00:00Z' as moved
      from appointment_provider order by position`,
    )
  await storingAppointments(clinic, [appointment('a1', { provider_ids: ['d2', 'd1'] })])
  assert.deepEqual(await copies(), [
    { provider_id: 'd2', position: 0, busy: true, moved: false },
    { provider_id: 'd1', position: 1, busy: true, moved: false },
  ])
  const moved = { start: '2026-03-05T08:00:00Z', end: '2026-03-05T09:00:00Z' }
  await storingAppointments(clinic, [appointment('a1', { ...moved, status_id: 'gone' })])
  assert.deepEqual(await copies(), [{ provider_id: 'd1', position: 0, busy: false, moved: true }])
  assert.deepEqual(
    await storingAppointments(clinic, [appointment('a1', { ...moved, status_id: 'gone', provider_ids: ['d2'] })]),
    { inserted: 0, updated: 1, unchanged: 0 },
  )
  assert.deepEqual(await copies(), [{ provider_id: 'd2', position: 0, busy: false, moved: true }])
})

test('who attends to appointments is replaced for each record of any number, and shows in when they were changed', async () => {
  const clinic = await clinicWithCatalog()
  const ids = Array.from({ length: 2_001 }, (_, n) => `a${n}`)
  const of = (provider: string, updated_at: string) =>
    ids.map((id) => appointment(id, { provider_ids: [provider], updated_at }))
  await storingAppointments(clinic, of('d1', UPDATED))
  const stored = await storingAppointments(clinic, of('d2', '2026-02-02T08:00:00.000Z'))
  assert.deepEqual(stored, { inserted: 0, updated: ids.length, unchanged: 0 })
  const count = sql`select provider_id, updated_at = '2026-02-02T08:00:00Z' as is_later, count(*)::int as count
    from appointment a join appointment_provider p on p.clinic_id = a.clinic_id and p.appointment_id = a.id
    where a.clinic_id = ${clinic.clinic_id} group by 1, 2`
  assert.deepEqual(await rowsOf(clinic, count), [{ provider_id: 'd2', is_later: true, count: ids.length }])
})

test('records are locked in the order of their ids, however they are sent, so that no two writers wait for each other', async () => {
  const clinic = await clinicWithCatalog()
  await storingAppointments(clinic, [appointment('a1'), appointment('a2')])
  const locked = (id: string) =>
    sql`select id from appointment where clinic_id = ${clinic.clinic_id} and id = ${id} for update skip locked`
  const { storing } = await app.write(clinic, async (tx) => {
    await tx.query(locked('a2'))
    const storing = storingAppointments(
      clinic,
      ['a2', 'a1'].map((id) => appointment(id, { note: 'new' })),
    )
    await doneOrWaiting(owner, tx, storing, '%into appointment as%')
    assert.deepEqual((await tx.query(locked('a1'))).rows, [])
    return { storing }
  })
  assert.equal((await storing).updated, 2)
})

test('a status whose meaning changes frees or takes the time of its appointments', async () => {
  const clinic = await clinicWithCatalog()
  await storingAppointments(clinic, [appointment('a1', { status_id: 'gone' }), appointment('a2')])
  await app.write(clinic, (tx) =>
    appointmentStatusKind.store(tx, clinic, [
      { id: 'gone', name: 'Arrived', color: '#000000', enabled: true, kind: 'arrived' },
    ]),
  )
  assert.deepEqual(await rowsOf(clinic, sql`select busy from appointment_provider`), [{ busy: true }, { busy: true }])
})

test("the clinic's own changes of its catalog are kept when asked", async () => {
  const clinic = await clinicWithCatalog()
  const renamed = { id: 'checkup', name: 'Imported', duration_minutes: 5, color: null }
  const missing = { id: 'visit', name: 'Visit', duration_minutes: 15, color: null }
  const stored = await app.write(clinic, (tx) => appointmentTypeKind.store(tx, clinic, [renamed, missing], 'keep'))
  assert.deepEqual([stored.inserted.size, stored.updated.size, stored.unchanged], [1, 0, 1])
  assert.deepEqual(await rowsOf(clinic, sql`select name from appointment_type order by id`), [
    { name: 'Check-up' },
    { name: 'Visit' },
  ])
})

test("a provider's week is stored whole: windows that are left out are gone", async () => {
  const clinic = await clinicWithCatalog()
  const hours = (weekday: number, starts_at: string, ends_at: string) => ({
    provider_id: 'd1',
    branch_id: 'b1',
    weekday,
    starts_at,
    ends_at,
  })
  const week = [hours(0, '09:00', '13:00'), hours(0, '14:00', '24:00'), hours(1, '09:00', '17:00')]
  const store = (records: typeof week) => counted(app.write(clinic, (tx) => storeWorkingHours(tx, clinic, records)))
  assert.equal((await store(week)).updated, 1)
  assert.equal((await store(week)).unchanged, 1)
  assert.equal((await store(week.slice(0, 2))).updated, 1)
  const left = await rowsOf(clinic, sql`select weekday, ends_at::text from working_hours order by starts_at`)
  assert.deepEqual(left, [
    { weekday: 0, ends_at: '13:00:00' },
    { weekday: 0, ends_at: '24:00:00' },
  ])
})

test('windows of a day may touch, and not overlap', () => {
  const window = (starts_at: string, ends_at: string) => ({ branch_id: 'b1', weekday: 0, starts_at, ends_at })
  const codes = (start: string) =>
    checkProviderWeek({ provider_id: 'd1', windows: [window('09:00', '13:00'), window(start, '18:00')] }).map(
      ({ place, code }) => [place, code],
    )
  assert.deepEqual(codes('13:00'), [])
  assert.deepEqual(codes('12:59'), [['/windows/1', 'overlap']])
})

test('time off is stored by its id', async () => {
  const clinic = await clinicWithCatalog()
  const off = { id: 'o1', provider_id: null, branch_id: 'b1', start: '2026-04-01', end: '2026-04-03T10:00:00Z' }
  const store = () => counted(app.write(clinic, (tx) => storeTimeOff(tx, clinic, [off])))
  assert.equal((await store()).inserted, 1)
  assert.equal((await store()).unchanged, 1)
})
