// Analytics through the gateway: what a key may see and ask, and the faults of a wrong query.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { allScopes, readScopes } from '@clinic-data/contract'
import { type Dataset, dimensionScope, measureScope } from '@clinic-data/contract/analytics/dataset'
import { datasetNames, datasets } from '@clinic-data/contract/analytics/datasets'
import { ask, keyOf, smallClinic, startService, type TestClinic, type TestService } from './service.ts'

let service: TestService
let clinic: TestClinic
let executed = 0

before(async () => {
  service = await startService({
    wrap: (backend) => {
      const run = backend.handlers['query.run']
      const counted: typeof run = (...call) => {
        executed += 1
        return run(...call)
      }
      return { ...backend, handlers: { ...backend.handlers, 'query.run': counted } }
    },
  })
  clinic = await smallClinic(service)
})
after(() => service.close())

const RANGE = { op: 'between', value: ['2026-01-01', '2026-03-31'] }
const TREATMENTS = {
  dataset: 'treatments',
  measures: ['treatment_count'],
  filters: [{ field: 'effective_date', ...RANGE }],
}
const [range] = TREATMENTS.filters

const post = (body: unknown, key = clinic.key) => ask(service, key, '/v1/query', { method: 'POST', body })

/** The faults of a query, as `pointer: detail`. */
async function faults(changes: object, key = clinic.key): Promise<[status: number, told: string[]]> {
  const { status, json } = await post({ ...TREATMENTS, ...changes }, key)
  return [status, (json.errors ?? []).map(({ pointer, detail }: Record<string, string>) => `${pointer}: ${detail}`)]
}

const DIMENSIONS = 'must be one of: provider, effective_date'
const MEASURES = 'must be one of: net_revenue, treatment_count'
const CLOSED = 'must hold a closed range on effective_date: `between`, or `gte` together with `lte`'
const DATE = 'must be a date, YYYY-MM-DD, from 1850 to 2199'
const on = (op: string, value: unknown, field = 'effective_date') => ({ field, op, value })

const wrong: [name: string, changes: object, told: string[]][] = [
  ['an unknown dataset', { dataset: 'sales' }, [`#/dataset: must be one of: ${datasetNames.join(', ')}`]],
  [
    'a name that objects inherit',
    { dataset: 'constructor' },
    [`#/dataset: must be one of: ${datasetNames.join(', ')}`],
  ],
  [
    'unknown measures',
    { measures: ['revenue', 'toString'] },
    [`#/measures/0: ${MEASURES}`, `#/measures/1: ${MEASURES}`],
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
    ['#/filters/1/op: must be one of: eq, in, not_in, between, gte, lte'],
  ],
  [
    'an operator that the filter lacks',
    { filters: [range, on('eq', 'x', 'provider')] },
    ['#/filters/1/op: must be one of: in, not_in'],
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
      '#/cube: is not known here',
      '#/limit: must be a whole number from 1 to 2000000000',
      `#/measures/0: ${MEASURES}`,
      `#/dimensions/0: ${DIMENSIONS}`,
      '#/filters/0/op: must be one of: between, gte, lte',
      '#/order/0/by: must be one of: x, y',
    ],
  ],
]

for (const [name, changes, told] of wrong) {
  test(`${name}: 400 that names what is allowed, and nothing is executed`, async () => {
    const before = executed
    assert.deepEqual(await faults(changes), [400, told])
    assert.equal(executed, before)
  })
}

test('filters by words name the existing words', async () => {
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
  const before = executed
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
    assert.equal(executed, before)
    const { status, json } = await post({ ...TREATMENTS, filters: [range, on('in', [attack], 'provider')] })
    assert.deepEqual([status, json.data.rows, json.data.totals], [200, [], { treatment_count: 0 }])
    executed = before
  }
  const { json } = await post(TREATMENTS)
  assert.ok(json.data.totals.treatment_count >= 0)
})

test('several filters on one field all apply, and so do those of the range', async () => {
  const filters = [on('gte', '2025-01-01'), range, on('lte', '2026-03-31'), on('lte', '2026-12-31')]
  assert.deepEqual((await post({ ...TREATMENTS, filters })).json.data.totals, (await post(TREATMENTS)).json.data.totals)
  const provider = (op: string, ...ids: string[]) => on(op, ids, 'provider')
  const { status, json } = await post({ ...TREATMENTS, filters: [range, provider('in', 'a'), provider('not_in', 'a')] })
  assert.deepEqual([status, json.data.totals], [200, { treatment_count: 0 }])
})

test('a dimension object without a grain means the bare name', async () => {
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

/** Every name of the registry that needs its own scope, with a query that names only it. */
const guarded = datasetNames.flatMap((name) => {
  const dataset: Dataset = datasets[name]
  const open = Object.keys(dataset.measures).find((measure) => measureScope(dataset, measure) === undefined)
  const measures = [open ?? Object.keys(dataset.measures)[0] ?? '']
  const filters = [on('between', RANGE.value, dataset.date_filter)]
  const query = { dataset: name, measures, filters }
  return [
    ...Object.keys(dataset.measures).map(
      (one) => [measureScope(dataset, one), one, { ...query, measures: [one] }] as const,
    ),
    ...Object.keys(dataset.dimensions).map(
      (one) => [dimensionScope(dataset, one), one, { ...query, dimensions: [one] }] as const,
    ),
    ...Object.entries(dataset.filters).flatMap(([one, { type, values }]) => {
      if (type === 'date' || type === 'boolean') return []
      return [
        [
          dimensionScope(dataset, one),
          one,
          { ...query, filters: [...filters, on('in', [values?.[0] ?? 'x'], one)] },
        ] as const,
      ]
    }),
  ]
})

test('a name that needs a scope is answered with it, and without it is a 403 that names the scope', async () => {
  const needed = [...new Set(guarded.flatMap(([scope]) => scope ?? []))]
  assert.deepEqual(needed.toSorted(), ['chat:read', 'leads:write', 'patients:read', 'payments:read'])
  for (const missing of needed) {
    const key = await keyOf(
      service.owner,
      clinic.clinic,
      allScopes.filter((scope) => scope !== missing),
    )
    for (const [scope, name, query] of guarded) {
      const { status, json } = await post(query, key)
      const expected = scope === missing ? [403, missing] : [200, undefined]
      assert.deepEqual([status, json.required_scope], expected, `${query.dataset} ${name} without ${missing}`)
    }
  }
})

test('a key without payments:read sees and gets no currency measure anywhere', async () => {
  const key = await keyOf(
    service.owner,
    clinic.clinic,
    allScopes.filter((scope) => scope !== 'payments:read'),
  )
  const { text, json } = await ask(service, key, '/v1/metrics')
  assert.doesNotMatch(text, /currency|revenue|amount|payment/)
  assert.deepEqual(
    json.data.datasets.map(({ name }: { name: string }) => name),
    datasetNames.filter((name) => name !== 'payments'),
  )
  assert.equal((await ask(service, key, '/v1/metrics?dataset=payments')).json.required_scope, 'payments:read')
  const [status, told] = await faults({ measures: ['x'] }, key)
  assert.deepEqual([status, told], [400, ['#/measures/0: must be one of: treatment_count']])
})

test('the leads dataset is only for keys that may capture leads, and is invisible to a key with read scopes alone', async () => {
  const key = await keyOf(service.owner, clinic.clinic, readScopes)
  const { json } = await ask(service, key, '/v1/metrics')
  assert.deepEqual(
    json.data.datasets.map(({ name }: { name: string }) => name),
    datasetNames.filter((name) => name !== 'leads'),
  )
  const described = await ask(service, key, '/v1/metrics?dataset=leads')
  assert.deepEqual([described.status, described.json.required_scope], [403, 'leads:write'])
  const asked = { dataset: 'leads', measures: ['lead_count'], dimensions: ['campaign_name'] }
  const answer = await post({ ...asked, filters: [on('between', RANGE.value, 'created_date')] }, key)
  assert.deepEqual([answer.status, answer.json.required_scope], [403, 'leads:write'])
})

test("a query's faults are reported before its missing scopes", async () => {
  const key = await keyOf(service.owner, clinic.clinic, ['analytics:read'])
  const [status, told] = await faults({ measures: ['net_revenue'], dimensions: ['x'] }, key)
  assert.deepEqual([status, told], [400, [`#/dimensions/0: ${DIMENSIONS}`]])
  assert.equal((await post({ ...TREATMENTS, measures: ['net_revenue'] }, key)).json.required_scope, 'payments:read')
})

test("the descriptor of treatments is the specification's", async () => {
  const { json } = await ask(service, clinic.key, '/v1/metrics?dataset=treatments')
  const [descriptor] = json.data.datasets
  const without = (list: Record<string, unknown>[]) => list.map(({ description, ...rest }) => rest)
  assert.deepEqual(without(descriptor.measures), [
    { name: 'net_revenue', kind: 'sum', unit: 'currency', requires_scope: 'payments:read' },
    { name: 'treatment_count', kind: 'count', unit: 'count' },
  ])
  assert.deepEqual(without(descriptor.dimensions), [
    { name: 'provider', kind: 'column' },
    { name: 'effective_date', kind: 'time', grains: ['day', 'week', 'month', 'quarter', 'year'] },
  ])
  assert.deepEqual(descriptor.filters, [
    { name: 'effective_date', type: 'date', operators: ['between', 'gte', 'lte'] },
    { name: 'provider', type: 'id_list', operators: ['in', 'not_in'] },
  ])
  assert.deepEqual([descriptor.requires_date_range, descriptor.date_filter], [true, 'effective_date'])
})
