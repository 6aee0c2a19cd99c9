// Utilization: which part of the working time is booked, on which day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insert, insertAppointment } from '@clinic-data/testing/grounds/rows'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { owner, query } from './analytics-ground.ts'

test('only the part of an appointment within working time counts as booked, not the part before, after or in a break', async () => {
  const clinic = await testClinic(owner, { time_zone: 'UTC' })
  await insert(owner, clinic, 'branch', { id: 'b' })
  await insert(owner, clinic, 'provider', { id: 'a' })
  const window = { branch_id: 'b', provider_id: 'a', weekday: 4 }
  const windows = [
    { ...window, starts_at: '09:00', ends_at: '12:00' },
    { ...window, starts_at: '13:00', ends_at: '17:00' },
  ]
  await insert(owner, clinic, 'working_hours', ...windows)
  const visit = (id: string, start: string, end: string | null) =>
    insertAppointment(
      owner,
      clinic,
      { id, start: `2026-01-01T${start}Z`, end: end && `2026-01-01T${end}Z`, start_date: '2026-01-01' },
      ['a'],
    )
  await visit('early', '08:00', '09:30')
  await visit('lunch', '11:45', '13:10')
  await visit('again', '13:00', '13:10')
  await visit('late', '16:50', '19:00')
  await visit('endless', '10:00', null)
  const question = {
    dataset: 'utilization',
    measures: ['open_minutes', 'booked_minutes', 'free_minutes', 'utilization_rate'],
  }
  const { totals } = await query(clinic, {
    ...question,
    filters: [{ field: 'work_date', op: 'between', value: ['2025-12-31', '2026-01-02'] }],
  })
  const booked = 30 + 15 + 10 + 10 + 15
  assert.deepEqual(totals, {
    open_minutes: 420,
    booked_minutes: booked,
    free_minutes: 420 - booked,
    utilization_rate: Math.round((booked / 420) * 10_000) / 100,
  })
})

for (const [time_zone, changed] of [
  ['America/Santiago', '2026-09-06'],
  ['Asia/Beirut', '2026-03-29'],
  ['Africa/Cairo', '2026-04-24'],
  ['America/Havana', '2026-03-08'],
] as const) {
  test(`${time_zone}: a span over a clock change at midnight counts on its last day too`, async () => {
    const clinic = await testClinic(owner, { time_zone })
    await insert(owner, clinic, 'branch', { id: 'b' })
    await insert(owner, clinic, 'provider', { id: 'off' }, { id: 'busy' })
    const window = { branch_id: 'b', starts_at: '09:00', ends_at: '17:00' }
    const days = [0, 1, 2, 3, 4, 5, 6]
    const weekly = ['off', 'busy'].flatMap((provider_id) =>
      days.map((weekday) => ({ ...window, provider_id, weekday })),
    )
    await insert(owner, clinic, 'working_hours', ...weekly)
    const [before, after] = [-1, 1].map((day) =>
      new Date(Date.parse(changed) + day * 86_400_000).toISOString().slice(0, 10),
    )
    // Three days, the last of them until long after work in each of the zones.
    const [start, end] = [`${before}T00:00:00Z`, `${after}T23:30:00Z`]
    await insert(owner, clinic, 'time_off', { id: 'o', provider_id: 'off', start, end })
    await insertAppointment(owner, clinic, { id: 'v', start, end, start_date: before ?? '' }, ['busy'])
    const { rows } = await query(clinic, {
      dataset: 'utilization',
      measures: ['open_minutes', 'booked_minutes'],
      dimensions: ['provider', 'work_date'],
      filters: [{ field: 'work_date', op: 'between', value: [before, after] }],
    })
    assert.deepEqual(
      rows.map((row) => [row.provider, row.work_date, row.open_minutes, row.booked_minutes]),
      [before, changed, after].map((day) => ['busy', day, 480, 480]),
    )
  })
}
