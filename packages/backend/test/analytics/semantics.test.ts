// Analytics: the rules of an answer, one by one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import type { Dataset } from '@clinic-data/contract/analytics/dataset'
import { datasetNames, datasets } from '@clinic-data/contract/analytics/datasets'
import { createBackend } from '../../src/backend.ts'
import { ask } from '../ask.ts'
import { insert } from '../rows.ts'
import { failingLog, testClinic, testDatabase } from '../test-database.ts'

const { owner, app } = await testDatabase()
const now = () => new Date('2026-07-12T06:30:00.123Z')
const backend = createBackend({ database: app, now, log: failingLog })

async function query(clinic: Clinic, body: unknown) {
  const { data } = await ask(backend, clinic, 'query.run', { body })
  return data
}

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
    ...{ id, provider_id, effective_date, price_minor, discount_minor },
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
  test(`${name}: every measure with every dimension is nothing where nothing is`, async () => {
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
