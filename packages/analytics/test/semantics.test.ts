// Analytics: the rules of groups, periods, order and limits, one by one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dataset } from '@clinic-data/contract/analytics/dataset'
import { datasetNames, datasets } from '@clinic-data/contract/analytics/datasets'
import { problem } from '@clinic-data/testing/grounds/ask'
import { insert, insertAppointment } from '@clinic-data/testing/grounds/rows'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { count, owner, query, treatments } from './analytics-ground.ts'

const by = (grain: string) => ({ dimensions: [{ field: 'effective_date', grain }] })

test("the specification's example is answered as written", async () => {
  const clinic = await testClinic(owner)
  await insert(
    owner,
    clinic,
    'provider',
    { id: 'dr-cohen', name: 'Dr. Maya Cohen' },
    { id: 'dr-levi', name: 'Dr. Levi' },
  )
  const treatment = (
    id: string,
    provider_id: string,
    effective_date: string,
    price_minor: number | null,
    discount_minor = 0,
  ) => ({
    id,
    provider_id,
    effective_date,
    price_minor,
    discount_minor,
  })
  await insert(
    owner,
    clinic,
    'treatment',
    treatment('t1', 'dr-cohen', '2026-01-01', 4_000_050, 50),
    treatment('t2', 'dr-cohen', '2026-01-31', 825_000),
    treatment('t3', 'dr-cohen', '2026-02-01', 10_001),
    treatment('t4', 'dr-levi', '2026-01-15', 10_001),
    treatment('t5', 'dr-levi', '2026-07-01', 99),
    treatment('t6', 'dr-levi', '2025-12-31', 99),
    treatment('t7', 'dr-levi', '2026-06-30', null),
  )
  assert.deepEqual(
    await query(clinic, {
      dataset: 'treatments',
      measures: ['net_revenue'],
      dimensions: ['provider', { field: 'effective_date', grain: 'month' }],
      filters: [{ field: 'effective_date', op: 'between', value: ['2026-01-01', '2026-06-30'] }],
      order: [{ by: 'net_revenue', dir: 'desc' }],
      limit: 100,
    }),
    {
      dataset: 'treatments',
      rows: [
        { provider: 'dr-cohen', provider_label: 'Dr. Maya Cohen', effective_date: '2026-01-01', net_revenue: 48_250 },
        { provider: 'dr-cohen', provider_label: 'Dr. Maya Cohen', effective_date: '2026-02-01', net_revenue: 100.01 },
        { provider: 'dr-levi', provider_label: 'Dr. Levi', effective_date: '2026-01-01', net_revenue: 100.01 },
        { provider: 'dr-levi', provider_label: 'Dr. Levi', effective_date: '2026-06-01', net_revenue: 0 },
      ],
      totals: { net_revenue: 48_450.02 },
      measures: ['net_revenue'],
      dimensions: ['provider', 'effective_date'],
      truncated: false,
      time_zone: 'Asia/Jerusalem',
      week_start: 'sunday',
      group_count: 4,
      as_of: '2026-07-12T09:30:00.123+03:00',
    },
  )
})

for (const name of datasetNames) {
  test(`${name}: every measure with every dimension is empty for a clinic without records`, async () => {
    const clinic = await testClinic(owner)
    const dataset: Dataset = datasets[name]
    const measures = Object.keys(dataset.measures)
    const filters = [{ field: dataset.date_filter, op: 'between', value: ['2026-01-01', '2026-03-31'] }]
    for (const dimensions of [
      [],
      ...Object.keys(dataset.dimensions).map((one) => [one]),
      Object.keys(dataset.dimensions),
    ]) {
      const { rows, totals, group_count, truncated } = await query(clinic, {
        dataset: name,
        measures,
        dimensions,
        filters,
      })
      assert.deepEqual([rows, group_count, truncated], [[], 0, false])
      for (const [measure, total] of Object.entries(totals)) {
        const kind = dataset.measures[measure]?.kind
        assert.equal(total, kind === 'avg' || kind === 'ratio' ? null : 0, measure)
      }
    }
  })
}

test('the day of the week is 0 on Sunday, and 6 on Saturday', async () => {
  const clinic = await testClinic(owner)
  for (const start_date of ['2026-07-11', '2026-07-12', '2026-07-13'])
    await insertAppointment(owner, clinic, { id: start_date, start_date, start: `${start_date}T08:00:00Z` })
  const filters = [{ field: 'start_date', op: 'between', value: ['2026-07-11', '2026-07-13'] }]
  const question = { dataset: 'appointments', measures: ['appointment_count'], dimensions: ['weekday'], filters }
  const { rows } = await query(clinic, question)
  assert.deepEqual(new Set(rows.map(({ weekday }) => weekday)), new Set([6, 0, 1]))
})

test('a week begins on the clinic’s day, even across the end of a year', async () => {
  const days: [string, string, number][] = ['2025-12-27', '2025-12-28', '2025-12-29', '2026-01-03', '2026-01-04'].map(
    (day) => [day, 'a', 1],
  )
  const weeks = async (week_start: 0 | 1) => {
    const clinic = await treatments({ week_start }, ...days)
    const { rows, week_start: reported } = await query(clinic, { ...count, ...by('week') })
    return [reported, ...rows.map(({ effective_date, treatment_count }) => [effective_date, treatment_count])]
  }
  assert.deepEqual(await weeks(0), ['sunday', ['2025-12-21', 1], ['2025-12-28', 3], ['2026-01-04', 1]])
  assert.deepEqual(await weeks(1), ['monday', ['2025-12-22', 2], ['2025-12-29', 3]])
})

test('a period is its first day, a bare time dimension means the day, and empty periods are not added', async () => {
  const clinic = await treatments({}, ['2026-02-28', 'a', 1], ['2026-06-30', 'a', 1], ['2026-06-29', 'a', 1])
  const periods = async (dimensions: object) =>
    (await query(clinic, { ...count, ...dimensions })).rows.map(({ effective_date }) => effective_date)
  assert.deepEqual(await periods({ dimensions: ['effective_date'] }), ['2026-02-28', '2026-06-29', '2026-06-30'])
  assert.deepEqual(await periods(by('month')), ['2026-02-01', '2026-06-01'])
  assert.deepEqual(await periods(by('quarter')), ['2026-01-01', '2026-04-01'])
  assert.deepEqual(await periods(by('year')), ['2026-01-01'])
})

test('a range includes its first and last day, and treatments that are removed or have no date are not counted', async () => {
  const removed = { removed_at: '2026-01-02T00:00:00Z' }
  const clinic = await treatments(
    {},
    ['2026-01-01', 'a', 1],
    ['2026-01-31', 'a', 1],
    ['2026-02-01', 'a', 1],
    [null, 'a', 1],
    ['2026-01-02', 'a', 1, removed],
  )
  const ends = [
    { field: 'effective_date', op: 'lte', value: '2026-01-31' },
    { field: 'effective_date', op: 'gte', value: '2026-01-01' },
  ]
  assert.deepEqual((await query(clinic, { ...count, filters: ends })).totals, { treatment_count: 2 })
  assert.deepEqual((await query(clinic, count)).totals, { treatment_count: 3 })
})

test('totals cover all groups, truncated is exact, and the limit is capped', async () => {
  const clinic = await treatments({}, ['2026-01-01', 'a', 100], ['2026-01-02', 'a', 200], ['2026-01-03', 'a', 300])
  const question = { ...count, measures: ['net_revenue'], dimensions: ['effective_date'] }
  const answered = async (limit: number) => {
    const { rows, totals, truncated, group_count } = await query(clinic, { ...question, limit })
    return [rows.length, totals.net_revenue, truncated, group_count]
  }
  assert.deepEqual(await answered(2), [2, 6, true, 3])
  assert.deepEqual(await answered(3), [3, 6, false, 3])
  assert.deepEqual(await answered(2_000_000_000), [3, 6, false, 3])
})

test('a dataset answers at most its cap, and says that there are more', async () => {
  const first = Date.parse('2022-01-01T00:00:00Z')
  const days = Array.from({ length: 1001 }, (_, n): [string, string, number] => [
    new Date(first + n * 86_400_000).toISOString().slice(0, 10),
    'a',
    1,
  ])
  const { rows, truncated, group_count } = await query(await treatments({}, ...days), {
    ...count,
    dimensions: ['effective_date'],
    limit: 5000,
  })
  assert.deepEqual([rows.length, truncated, group_count], [1000, true, 1001])
})

test('the default order is time ascending or the first measure descending, with ties broken by dimensions and nulls last', async () => {
  const clinic = await treatments(
    {},
    ['2026-01-02', 'b', 100],
    ['2026-01-02', 'a', 100],
    ['2026-01-01', null, 500],
    ['2026-01-01', 'b', 1],
  )
  const net = { ...count, measures: ['net_revenue'] }
  const order = async (more: object) =>
    (await query(clinic, { ...net, ...more })).rows.map((row) => [row.provider, row.net_revenue])
  assert.deepEqual(await order({ dimensions: ['provider'] }), [
    [null, 5],
    ['b', 1.01],
    ['a', 1],
  ])
  assert.deepEqual(await order({ dimensions: ['provider', 'effective_date'] }), [
    ['b', 0.01],
    [null, 5],
    ['a', 1],
    ['b', 1],
  ])
  for (const dir of ['asc', 'desc']) {
    const rows = await order({ dimensions: ['provider'], order: [{ by: 'provider', dir }] })
    assert.deepEqual(rows.at(-1), [null, 5])
  }
})

test('equal requests give equal bytes', async () => {
  const clinic = await treatments(
    {},
    ...Array.from({ length: 40 }, (_, n): [string, string, number] => ['2026-01-01', n % 2 ? 'a' : 'b', 100]),
  )
  const question = {
    ...count,
    measures: ['net_revenue', 'treatment_count'],
    dimensions: ['provider', 'effective_date'],
  }
  const texts = await Promise.all(Array.from({ length: 5 }, async () => JSON.stringify(await query(clinic, question))))
  assert.equal(new Set(texts).size, 1)
})

test('an unchecked query is refused before anything is compiled', async () => {
  const clinic = await testClinic(owner)
  await assert.rejects(query(clinic, { ...count, measures: ['toString'] }), problem('invalid-request'))
  await assert.rejects(query(clinic, { ...count, filters: [] }), problem('invalid-request'))
})

test('an age band begins on the birthday, and the day before belongs to the younger one', async () => {
  const clinic = await testClinic(owner)
  // The query runs on 2026-07-12.
  const births: [birth: string, band: string | null][] = [
    ['2026-07-13', null],
    ['2026-07-12', '0-17'],
    ['2008-07-13', '0-17'],
    ['2008-07-12', '18-29'],
    ['1996-07-13', '18-29'],
    ['1996-07-12', '30-44'],
    ['1981-07-13', '30-44'],
    ['1981-07-12', '45-64'],
    ['1961-07-13', '45-64'],
    ['1961-07-12', '65+'],
  ]
  await insert(owner, clinic, 'patient', ...births.map(([birth_date], at) => ({ id: `p${at}`, birth_date })))
  const { rows } = await query(clinic, {
    dataset: 'patients',
    measures: ['patient_count'],
    dimensions: ['age_band'],
    order: [{ by: 'age_band', dir: 'asc' }],
  })
  assert.deepEqual(
    rows.map(({ age_band, patient_count }) => [age_band, patient_count]),
    [
      ['0-17', 2],
      ['18-29', 2],
      ['30-44', 2],
      ['45-64', 2],
      ['65+', 1],
      [null, 1],
    ],
  )
})

test('the days from booking to visit leave out an appointment that was recorded after its day, and count one of the same day', async () => {
  const clinic = await testClinic(owner)
  const booked: [start_date: string, created_date: string][] = [
    ['2026-07-11', '2026-07-01'],
    ['2026-07-11', '2026-07-11'],
    ['2026-07-01', '2026-07-11'],
  ]
  for (const [at, [start_date, created_date]] of booked.entries())
    await insert(owner, clinic, 'appointment', {
      id: `a${at}`,
      start: `${start_date}T09:00:00Z`,
      start_date,
      created_date,
    })
  const filters = [{ field: 'start_date', op: 'between', value: ['2026-07-01', '2026-07-31'] }]
  const measures = ['appointment_count', 'avg_lead_days']
  const { rows } = await query(clinic, { dataset: 'appointments', measures, filters })
  assert.deepEqual(rows, [{ appointment_count: 3, avg_lead_days: 5 }])
})
