// Analytics through the gateway: the names and queries that a key may use, and the faults of a wrong query.
import assert from 'node:assert/strict'
import test from 'node:test'
import { datasetNames } from '@clinic-data/contract/analytics/datasets'
import { DIMENSIONS, faults, on, post, RANGE, runs, TREATMENTS } from './analytics-ground.ts'

const [range] = TREATMENTS.filters
const MEASURES = 'must be one of: net_revenue, treatment_count'
const CLOSED = 'must hold a closed range on effective_date: `between`, or `gte` together with `lte`'
const DATE = 'must be a date that exists, YYYY-MM-DD'

const wrong: [name: string, changes: object, expected: string[]][] = [
  ['an unknown dataset', { dataset: 'sales' }, [`#/dataset: must be one of: ${datasetNames.join(', ')}`]],
  [
    'a name that objects inherit',
    { dataset: 'constructor' },
    [`#/dataset: must be one of: ${datasetNames.join(', ')}`],
  ],
  [
    'unknown measures',
    { measures: ['revenue', 'toString'] },
    [`#/measures/0: ${MEASURES}. Did you mean net_revenue?`, `#/measures/1: ${MEASURES}`],
  ],
  ['no measure', { measures: [] }, ['#/measures: must have at least 1 items']],
  [
    'a measure twice',
    { measures: ['treatment_count', 'treatment_count'] },
    ['#/measures/1: is named already: a measure is selected once'],
  ],
  [
    'unknown dimensions',
    { dimensions: ['branch', { field: '__proto__', grain: 'day' }] },
    [`#/dimensions/0: ${DIMENSIONS}`, `#/dimensions/1/field: ${DIMENSIONS}`],
  ],
  [
    'one dimension at two grains',
    { dimensions: ['effective_date', { field: 'effective_date', grain: 'month' }] },
    ['#/dimensions/1: is named already: a dimension is selected once, at one grain'],
  ],
  [
    'an unknown grain',
    { dimensions: [{ field: 'effective_date', grain: 'decade' }] },
    ['#/dimensions/0/grain: must be one of: day, week, month, quarter, year'],
  ],
  [
    'a grain of what is no time',
    { dimensions: [{ field: 'provider', grain: 'day' }] },
    ['#/dimensions/0/grain: must be left out: it is for effective_date'],
  ],
  ['no filters', { filters: undefined }, [`#/filters: ${CLOSED}`]],
  ['an open range', { filters: [on('gte', '2026-01-01')] }, [`#/filters: ${CLOSED}`]],
  [
    'a reversed range',
    { filters: [on('lte', '2026-01-01'), on('gte', '2026-01-02')] },
    ['#/filters/0: effective_date must not begin after it ends'],
  ],
  [
    'more than ten years',
    { filters: [on('between', ['2016-01-01', '2026-01-01'])] },
    ['#/filters/0: effective_date must span at most 10 years'],
  ],
  [
    'days that are none',
    { filters: [on('between', ['2026-02-30', 20260301])] },
    [`#/filters/0/value/0: ${DATE}`, `#/filters/0/value/1: ${DATE}`],
  ],
  [
    'a range that is no pair',
    { filters: [on('between', '2026-01-01')] },
    ['#/filters/0/value: must be an array of two dates: the first day and the last'],
  ],
  [
    'an unknown filter',
    { filters: [range, on('in', ['b'], 'branch')] },
    ['#/filters/1/field: must be one of: effective_date, provider'],
  ],
  [
    'an unknown operator',
    { filters: [range, on('like', 'x', 'provider')] },
    ['#/filters/1/op: must be one of: eq, in, not_in'],
  ],
  [
    'an operator that the filter lacks',
    { filters: [range, on('gte', 'x', 'provider')] },
    ['#/filters/1/op: must be one of: eq, in, not_in'],
  ],
  [
    'ranges that have no day in common',
    { filters: [range, on('gte', '2026-04-01')] },
    ['#/filters/0: effective_date must not begin after it ends'],
  ],
  ['an unknown dimension in an object', { dimensions: [{ field: 'branch' }] }, [`#/dimensions/0/field: ${DIMENSIONS}`]],
  [
    'values of a wrong type',
    { filters: [range, on('in', ['a', 5, true, ''], 'provider')] },
    [1, 2, 3].map((at) => `#/filters/1/value/${at}: must be an id: a string of 1 to 128 characters`),
  ],
  ['one value for a list', { filters: [range, on('in', 'a', 'provider')] }, ['#/filters/1/value: must be an array']],
  [
    'no value for a list',
    { filters: [range, on('in', [], 'provider')] },
    ['#/filters/1/value: must have at least 1 items'],
  ],
  [
    '9,000 values',
    {
      filters: [
        range,
        on(
          'in',
          Array.from({ length: 9_000 }, (_, n) => `p${n}`),
          'provider',
        ),
      ],
    },
    ['#/filters/1/value: must have at most 1000 items'],
  ],
  [
    'an order by what is not selected',
    { order: [{ by: 'net_revenue', dir: 'asc' }] },
    ['#/order/0/by: must be one of: treatment_count'],
  ],
  [
    'an order twice, and in no direction',
    {
      order: [
        { by: 'treatment_count', dir: 'asc' },
        { by: 'treatment_count', dir: 'desc' },
        { by: 'treatment_count', dir: 'up' },
      ],
    },
    ['#/order/2/dir: must be one of: asc, desc', '#/order/1/by: is named already', '#/order/2/by: is named already'],
  ],
  ['a limit below one', { limit: 0 }, ['#/limit: must be from 1 to 2000000000']],
  [
    'everything at once',
    {
      measures: ['x'],
      dimensions: ['y'],
      filters: [on('eq', 1)],
      order: [{ by: 'z', dir: 'asc' }],
      limit: 'many',
      cube: 1,
    },
    [
      '#/cube: is not known here, but these are: dataset, measures, dimensions, filters, order, limit',
      '#/limit: must be a whole number from 1 to 2000000000',
      `#/measures/0: ${MEASURES}`,
      `#/dimensions/0: ${DIMENSIONS}`,
      '#/filters/0/op: must be one of: between, gte, lte',
      `#/filters/0/value: ${DATE}`,
      '#/order/0/by: must name a selected measure or dimension',
    ],
  ],
]

for (const [name, changes, expected] of wrong) {
  test(`${name}: 400 that names the allowed values, and nothing is executed`, async () => {
    const before = runs.executed
    assert.deepEqual(await faults(changes), [400, expected])
    assert.equal(runs.executed, before)
  })
}

test('a filter with a fixed set of words names them', async () => {
  const calls = { dataset: 'calls', measures: ['call_count'] }
  const filters = [on('between', RANGE.value, 'started_date'), on('in', ['inbound', 'sideways'], 'direction')]
  assert.deepEqual(await faults({ ...calls, filters }), [
    400,
    ['#/filters/1/value/1: must be one of: inbound, outbound'],
  ])
  const payments = { dataset: 'payments', measures: ['payment_count'] }
  const refunds = [on('between', RANGE.value, 'payment_date'), on('eq', 'true', 'is_refund')]
  assert.deepEqual(await faults({ ...payments, filters: refunds }), [400, ['#/filters/1/value: must be true or false']])
})

test('SQL in any string is an unknown name or a value like any other', async () => {
  const before = runs.executed
  for (const attack of [
    "'; drop table treatment; --",
    'net_revenue) from treatment; --',
    '"',
    '$1',
    '1 or 1=1',
    '\\',
  ]) {
    for (const changes of [
      { dataset: attack },
      { measures: [attack] },
      { dimensions: [attack] },
      { dimensions: [{ field: attack, grain: 'day' }] },
      { dimensions: [{ field: 'effective_date', grain: attack }] },
      { filters: [range, on('in', ['x'], attack)] },
      { filters: [range, on(attack, ['x'], 'provider')] },
      { filters: [on('between', [attack, '2026-01-01'])] },
      { order: [{ by: attack, dir: 'asc' }] },
      { order: [{ by: 'treatment_count', dir: attack }] },
      { limit: attack },
    ])
      assert.equal((await faults(changes))[0], 400, JSON.stringify(changes))
    assert.equal(runs.executed, before)
    const { status, json } = await post({ ...TREATMENTS, filters: [range, on('in', [attack], 'provider')] })
    assert.deepEqual([status, json.data.rows, json.data.totals], [200, [], { treatment_count: 0 }])
    runs.executed = before
  }
  const { json } = await post(TREATMENTS)
  assert.ok(json.data.totals.treatment_count >= 0)
})

test('all filters apply: several on one field, and those of the range', async () => {
  const filters = [on('gte', '2025-01-01'), range, on('lte', '2026-03-31'), on('lte', '2026-12-31')]
  assert.deepEqual((await post({ ...TREATMENTS, filters })).json.data.totals, (await post(TREATMENTS)).json.data.totals)
  const provider = (op: string, ...ids: string[]) => on(op, ids, 'provider')
  const { status, json } = await post({ ...TREATMENTS, filters: [range, provider('in', 'a'), provider('not_in', 'a')] })
  assert.deepEqual([status, json.data.totals], [200, { treatment_count: 0 }])
})

test('a dimension object without a grain means the same as the bare name', async () => {
  for (const field of ['provider', 'effective_date']) {
    const [bare, object] = await Promise.all(
      [field, { field }].map(async (one) => (await post({ ...TREATMENTS, dimensions: [one] })).json.data),
    )
    const { as_of: _, ...named } = bare
    const { as_of: __, ...written } = object
    assert.deepEqual(written, named)
    assert.deepEqual(written.dimensions, [field])
  }
})

test('a period may begin on the first and end on the last day of all', async () => {
  for (const value of [
    ['9999-12-31', '9999-12-31'],
    ['9990-01-01', '9999-12-31'],
    ['0001-01-01', '0010-12-31'],
  ]) {
    assert.deepEqual(await faults({ filters: [on('between', value)] }), [200, []], value.join())
  }
  const tooLong = '#/filters/0: effective_date must span at most 10 years'
  assert.deepEqual(await faults({ filters: [on('between', ['0001-01-01', '9999-12-31'])] }), [400, [tooLong]])
  assert.deepEqual(await faults({ filters: [on('between', ['9989-12-31', '9999-12-31'])] }), [400, [tooLong]])
  const everyPatient = { dataset: 'patients', measures: ['patient_count'], filters: [] }
  const during = on('between', ['0001-01-01', '9999-12-31'], 'created_date')
  const { json: all } = await post(everyPatient)
  const { status, json } = await post({
    ...everyPatient,
    filters: [during],
    dimensions: [{ field: 'created_date', grain: 'year' }],
  })
  assert.deepEqual([status, json.data?.totals], [200, all.data.totals])
})
