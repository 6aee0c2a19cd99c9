// Importing ten years of an outpatient clinic, and asking analytics about them: the file itself says what is right.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { createBackend } from '@clinic-data/backend'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { importOutpatient } from '../src/outpatient/import-outpatient.ts'

const { owner, app } = await testDatabase()
const NOW = new Date('2025-12-02T08:00:00Z')
const backend = createBackend({ database: app, now: () => NOW, log: failingLog })

const rowsOf = (clinic: Clinic, statement: Statement) => app.read(clinic, statement)

/** By weekday and by month, counted from the file itself. */
async function showRates(): Promise<[Record<string, number>, Record<string, number>]> {
  const came: [Map<string, [number, number]>, Map<string, [number, number]>] = [new Map(), new Map()]
  for (const line of (await readFile(join(DATA_SET, 'appointments.csv'), 'utf8')).split('\n')) {
    const [, , , day = '', , , status = ''] = line.split(',')
    if (status !== 'attended' && status !== 'did not attend') continue
    const keys = [String(new Date(`${day}T00:00:00Z`).getUTCDay()), `${day.slice(0, 7)}-01`]
    keys.forEach((key, at) => {
      const [attended, all] = came[at]?.get(key) ?? [0, 0]
      came[at]?.set(key, [attended + (status === 'attended' ? 1 : 0), all + 1])
    })
  }
  const rates = (counts: Map<string, [number, number]>) =>
    Object.fromEntries(
      [...counts].map(([key, [attended, all]]) => [key, 100 - Math.round((10_000 * (all - attended)) / all) / 100]),
    )
  return [rates(came[0]), rates(came[1])]
}

const DATA_SET = join(import.meta.dirname, '../../../../shared/data/outpatient-generated')
const absent = existsSync(DATA_SET) ? false : `there is no outpatient data set at ${DATA_SET}`

test('analytics gives the right show rate for ten years of an outpatient clinic', {
  skip: absent,
}, async () => {
  const clinic = await testClinic(owner, {
    time_zone: 'Europe/London',
    country: 'GB',
    currency: 'GBP',
    week_start: 1,
  })
  const { failed, resources } = await importOutpatient({
    database: app,
    clinic,
    folder: DATA_SET,
    now: () => NOW,
  })
  assert.deepEqual(failed, [])
  assert.deepEqual(resources.patients, { read: 36_660, inserted: 36_660, updated: 0, unchanged: 0, skipped: {} })
  assert.deepEqual(resources.appointments, { read: 110_650, inserted: 110_650, updated: 0, unchanged: 0, skipped: {} })
  assert.deepEqual(
    await rowsOf(clinic, sql`select status_id, count(*)::int as appointments from appointment group by 1 order by 1`),
    [
      { status_id: 'attended', appointments: 85_361 },
      { status_id: 'cancelled', appointments: 18_074 },
      { status_id: 'did_not_attend', appointments: 6_592 },
      { status_id: 'scheduled', appointments: 172 },
      { status_id: 'unknown', appointments: 451 },
    ],
  )
  const [byWeekday, byMonth] = await showRates()
  for (const [dimension, expected] of [
    ['weekday', byWeekday],
    [{ field: 'start_date', grain: 'month' }, byMonth],
  ] as const) {
    const filters = [{ field: 'start_date', op: 'between', value: ['2016-01-01', '2025-12-31'] }]
    const measures = ['no_show_rate', 'completed_count']
    const body = { dataset: 'appointments', measures, dimensions: [dimension], filters }
    const { data } = await ask(backend, clinic, 'query.run', { body })
    const answered = data.rows.flatMap(({ weekday, start_date, no_show_rate }) =>
      no_show_rate === null ? [] : [[String(weekday ?? start_date), 100 - Number(no_show_rate)]],
    )
    assert.deepEqual(Object.fromEntries(answered), expected)
    assert.deepEqual(data.totals, { no_show_rate: 7.17, completed_count: 85_361 })
  }
  const [hours] = await rowsOf(
    clinic,
    sql`select count(*)::int as windows, min(starts_at)::text as first, max(ends_at)::text as last from working_hours`,
  )
  assert.deepEqual(hours, { windows: 5, first: '08:00:00', last: '18:00:00' })
})
