// All faults of a query at once: what is wrong in one member of a filter hides nothing else that is.
import assert from 'node:assert/strict'
import test from 'node:test'
import { DIMENSIONS, faults, on, RANGE, TREATMENTS } from './analytics-ground.ts'

const [range] = TREATMENTS.filters
const OPERATORS = 'must be one of: eq, in, not_in, between, gte, lte'
const CLOSED = 'must hold a closed range on effective_date: `between`, or `gte` together with `lte`'
const MEASURES = 'must be one of: net_revenue, treatment_count. Did you mean net_revenue?'
const OF_DATES = 'must be one of: between, gte, lte'
const DATE = 'must be a date that exists, YYYY-MM-DD'

const wrong: [name: string, changes: object, expected: string[]][] = [
  [
    'an unknown operator of an unknown filter, and no range',
    { measures: ['no_shows'], dimensions: ['doctor'], filters: [on('>=', '2026-10-01', 'date')] },
    [
      `#/filters/0/op: ${OPERATORS}`,
      '#/measures/0: must be one of: net_revenue, treatment_count',
      `#/dimensions/0: ${DIMENSIONS}`,
      '#/filters/0/field: must be one of: effective_date, provider. Did you mean effective_date?',
      `#/filters: ${CLOSED}`,
    ],
  ],
  [
    'no operator at all, and no range',
    { filters: [{ field: 'provider', value: ['a'] }] },
    ['#/filters/0/op: is required', `#/filters: ${CLOSED}`],
  ],
  ['a range under an unknown operator', { filters: [on('within', RANGE.value)] }, [`#/filters/0/op: ${OF_DATES}`]],
  [
    'both ends of a range under unknown operators',
    { filters: [on('>=', '2026-01-01'), on('<=', '2026-03-31')] },
    [0, 1].map((at) => `#/filters/${at}/op: ${OF_DATES}`),
  ],
  [
    'one end and one under an unknown operator',
    { filters: [on('gte', '2026-01-01'), on('<=', '2026-03-31')] },
    [`#/filters/1/op: ${OF_DATES}`],
  ],
  [
    'one end alone, under an unknown operator and no day',
    { filters: [on('>=', '1.10.2026')] },
    [`#/filters/0/op: ${OF_DATES}`, `#/filters/0/value: ${DATE}`, `#/filters: ${CLOSED}`],
  ],
  [
    'the same end twice, neither of them a day',
    { filters: [on('gte', 'x'), on('gte', 'y')] },
    [`#/filters/0/value: ${DATE}`, `#/filters/1/value: ${DATE}`, `#/filters: ${CLOSED}`],
  ],
  [
    'a filter without a field, which may be the range',
    { filters: [{ op: 'between', value: RANGE.value }] },
    ['#/filters/0/field: is required'],
  ],
  [
    'wrong values under an unknown operator',
    { filters: [range, on('is', ['a', 5], 'provider')] },
    [
      '#/filters/1/op: must be one of: eq, in, not_in',
      '#/filters/1/value/1: must be an id: a string of 1 to 128 characters',
    ],
  ],
  [
    'an unknown grain of an unknown dimension',
    { dimensions: [{ field: 'branch', grain: 'decade' }] },
    ['#/dimensions/0/grain: must be one of: day, week, month, quarter, year', `#/dimensions/0/field: ${DIMENSIONS}`],
  ],
  [
    'an order beside misspelt choices, which it does not offer',
    { measures: ['net_revnue', 'treatment_count'], order: [{ by: 'foo', dir: 'asc' }] },
    [`#/measures/0: ${MEASURES}`, '#/order/0/by: must be one of: treatment_count'],
  ],
  [
    'an order by a choice that is misspelt itself',
    { measures: ['net_revnue'], order: [{ by: 'net_revnue', dir: 'asc' }] },
    [`#/measures/0: ${MEASURES}`],
  ],
  [
    'an order where nothing known is selected',
    { measures: ['net_revnue'], order: [{ by: 'foo', dir: 'asc' }] },
    [`#/measures/0: ${MEASURES}`, '#/order/0/by: must name a selected measure or dimension'],
  ],
  [
    'misspelt names of each kind',
    { measures: ['netRevenue'], dimensions: ['provder', { field: 'effective-date', grain: 'mont' }], filers: [] },
    [
      '#/filers: is not known here, but these are: dataset, measures, dimensions, filters, order, limit. Did you mean filters?',
      '#/dimensions/1/grain: must be one of: day, week, month, quarter, year. Did you mean month?',
      `#/measures/0: ${MEASURES}`,
      `#/dimensions/0: ${DIMENSIONS}. Did you mean provider?`,
      `#/dimensions/1/field: ${DIMENSIONS}. Did you mean effective_date?`,
    ],
  ],
  [
    'an order in no direction by what is not selected',
    { order: [{ by: 'net_revenue' }] },
    ['#/order/0/dir: is required', '#/order/0/by: must be one of: treatment_count'],
  ],
]

for (const [name, changes, expected] of wrong) {
  test(`${name}: every fault at once`, async () => {
    assert.deepEqual(await faults(changes), [400, expected])
  })
}

test('a misspelt dataset is told which one is probably meant', async () => {
  const [status, [told]] = await faults({ dataset: 'apointments' })
  assert.deepEqual([status, told?.endsWith('. Did you mean appointments?')], [400, true], told)
})
