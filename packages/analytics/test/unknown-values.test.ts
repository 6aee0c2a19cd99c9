// Analytics: what a query says of filters whose values are the id of nothing in the clinic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dataset } from '@clinic-data/contract/analytics/dataset'
import { datasetNames, datasets, idFilters } from '@clinic-data/contract/analytics/datasets'
import { insert } from '@clinic-data/testing/grounds/rows'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { namedIn } from '../src/unknown-values.ts'
import { all, count, owner, query, treatments, unknownIn } from './analytics-ground.ts'

const by = (field: string, op: string, value: unknown) => ({ field, op, value })
const asking = (...filters: unknown[]) => ({ ...count, filters: [all, ...filters] })

test('values that are the id of nothing are told by filter, also where other values count records, or nothing is left out', async () => {
  const clinic = await treatments({}, ['2026-01-01', 'a', 100], ['2026-01-02', 'b', 100])
  const unknown = (...filters: unknown[]) => unknownIn(clinic, asking(...filters))
  assert.deepEqual(await unknown(by('provider', 'eq', 'Ada')), [{ filter: 'provider', values: ['Ada'] }])
  assert.deepEqual(await unknown(by('provider', 'in', ['a', 'x', 'y', 'x'])), [
    { filter: 'provider', values: ['x', 'y'] },
  ])
  assert.deepEqual(await unknown(by('provider', 'not_in', ['Bea'])), [{ filter: 'provider', values: ['Bea'] }])
  const several = [by('provider', 'in', ['a', 'x']), by('provider', 'not_in', ['b', 'y'])]
  assert.deepEqual(await unknown(...several), [{ filter: 'provider', values: ['x', 'y'] }])
  assert.deepEqual(await query(clinic, asking(by('provider', 'in', ['a', 'x']))).then(({ totals }) => totals), {
    treatment_count: 1,
  })
  assert.equal(await unknown(by('provider', 'in', ['a', 'b'])), undefined)
  assert.equal(await unknown(), undefined)
})

test('a known id without records is no unknown one, and an id of another clinic is', async () => {
  const [clinic, other] = [await treatments({}), await testClinic(owner)]
  await insert(owner, clinic, 'provider', { id: 'idle' })
  await insert(owner, other, 'provider', { id: 'theirs' })
  assert.equal(await unknownIn(clinic, asking(by('provider', 'eq', 'idle'))), undefined)
  assert.deepEqual(await unknownIn(clinic, asking(by('provider', 'in', ['theirs', 'nobodys']))), [
    { filter: 'provider', values: ['theirs', 'nobodys'] },
  ])
})

test('at most ten unknown values are told of one filter', async () => {
  const clinic = await treatments({})
  const names = Array.from({ length: 1000 }, (_, at) => `n${at}`)
  assert.deepEqual(await unknownIn(clinic, asking(by('provider', 'in', names))), [
    { filter: 'provider', values: names.slice(0, 10) },
  ])
})

for (const name of datasetNames) {
  const dataset: Dataset = datasets[name]
  const filters = Object.keys(dataset.filters).filter((filter) => dataset.filters[filter]?.type === 'id_list')
  if (filters.length === 0) continue
  test(`${name}: each filter by an id tells unknown ones, in one look-up`, async () => {
    const clinic = await testClinic(owner)
    const range = by(dataset.date_filter, 'between', ['2026-01-01', '2026-12-31'])
    const measures = Object.keys(dataset.measures).slice(0, 1)
    const body = { dataset: name, measures, filters: [range, ...filters.map((filter) => by(filter, 'eq', filter))] }
    // An agent's name comes with each call: there is no list of agents.
    const told = filters.filter((filter) => filter !== 'agent')
    assert.deepEqual(
      await unknownIn(clinic, body),
      told.map((filter) => ({ filter, values: [filter] })),
    )
    assert.deepEqual(
      namedIn(body as Parameters<typeof namedIn>[0]).map(({ filter }) => filter),
      told,
    )
    assert.deepEqual(
      filters.filter((filter) => !idFilters.includes(filter)),
      [],
    )
  })
}
