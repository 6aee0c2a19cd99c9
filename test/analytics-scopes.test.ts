// Scopes in analytics: a key sees the names that its scopes allow, and the others are refused.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allScopes, readScopes, type Scope } from '@clinic-data/contract'
import { type Dataset, dimensionScopes, measureScope } from '@clinic-data/contract/analytics/dataset'
import { datasetNames, datasets } from '@clinic-data/contract/analytics/datasets'
import { ask, keyOf } from '@clinic-data/testing/run/test-service'
import { clinic, DIMENSIONS, faults, on, post, RANGE, service, TREATMENTS } from './analytics-ground.ts'

interface Guarded {
  readonly name: string
  readonly query: object
  /** The scopes of all the names in it. */
  readonly needs: readonly Scope[]
}

/** Every name of the registry, with a query that names only it and what every query has. */
const guarded: readonly Guarded[] = datasetNames.flatMap((dataset) => {
  const described: Dataset = datasets[dataset]
  const names = Object.keys(described.measures)
  const measure = names.find((one) => measureScope(described, one) === undefined) ?? names[0] ?? ''
  const filters = [on('between', RANGE.value, described.date_filter)]
  const query = { dataset, measures: [measure], filters }
  const withScopes = (name: string, query: object, ...scopes: (Scope | undefined)[]) => ({
    name: `${dataset} ${name}`,
    query,
    needs: [...new Set(scopes.flatMap((scope) => scope ?? []))].sort(),
  })
  const ofMeasure = measureScope(described, measure)
  return [
    ...names.map((one) => withScopes(one, { ...query, measures: [one] }, measureScope(described, one))),
    ...Object.keys(described.dimensions).map((one) =>
      withScopes(one, { ...query, dimensions: [one] }, ofMeasure, ...dimensionScopes(described, one)),
    ),
    ...Object.entries(described.filters).flatMap(([one, { type, values }]) => {
      if (type === 'date' || type === 'boolean') return []
      const filtered = { ...query, filters: [...filters, on('in', [values?.[0] ?? 'x'], one)] }
      return [withScopes(one, filtered, ofMeasure, ...dimensionScopes(described, one))]
    }),
  ]
})

test('a query with a name that needs a scope is answered with the scope, and without it is a 403 that names the scope', async () => {
  const needed = [...new Set(guarded.flatMap(({ needs }) => needs))]
  assert.deepEqual(needed.toSorted(), [
    'appointments:read',
    'chat:read',
    'leads:read',
    'patients:read',
    'payments:read',
    'treatments:read',
  ])
  const keys = new Map<string, Promise<string>>()
  const keyWith = (scopes: readonly Scope[]) => {
    const known = keys.get(scopes.join()) ?? keyOf(service.owner, clinic.clinic, scopes)
    keys.set(scopes.join(), known)
    return known
  }
  for (const { name, query, needs } of guarded) {
    const answer = await post(query, await keyWith(['analytics:read', ...needs]))
    assert.equal(answer.status, 200, `${name} with ${needs}: ${answer.text}`)
    for (const missing of needs) {
      const others = allScopes.filter(
        (scope) => scope !== missing && !(missing === 'leads:read' && scope === 'leads:write'),
      )
      const { status, json } = await post(query, await keyWith(others))
      assert.deepEqual([status, json.required_scope], [403, missing], `${name} without ${missing}`)
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
  const [status, faultTexts] = await faults({ measures: ['x'] }, key)
  assert.deepEqual([status, faultTexts], [400, ['#/measures/0: must be one of: treatment_count']])
})

test('a key that may neither read nor capture leads does not see their dataset, also with all read scopes', async () => {
  const key = await keyOf(service.owner, clinic.clinic, readScopes)
  const { json } = await ask(service, key, '/v1/metrics')
  assert.deepEqual(
    json.data.datasets.map(({ name }: { name: string }) => name),
    datasetNames.filter((name) => name !== 'leads'),
  )
  const described = await ask(service, key, '/v1/metrics?dataset=leads')
  assert.deepEqual([described.status, described.json.required_scope], [403, 'leads:read'])
  const query = { dataset: 'leads', measures: ['lead_count'], dimensions: ['campaign_name'] }
  const answer = await post({ ...query, filters: [on('between', RANGE.value, 'created_date')] }, key)
  assert.deepEqual([answer.status, answer.json.required_scope], [403, 'leads:read'])
})

test('either scope of leads opens their whole dataset, which names the one that the key holds', async () => {
  for (const [scope, ...more] of [['leads:read'], ['leads:write'], ['leads:read', 'leads:write']] as const) {
    const key = await keyOf(service.owner, clinic.clinic, ['analytics:read', scope, ...more])
    const listed = (await ask(service, key, '/v1/metrics')).json.data.datasets
    const described = (await ask(service, key, '/v1/metrics?dataset=leads')).json.data.datasets
    assert.deepEqual(
      listed.filter(({ name }: { name: string }) => name === 'leads'),
      described,
    )
    for (const kind of ['measures', 'dimensions', 'filters'] as const) {
      const names = described[0][kind].map((one: Record<string, string>) => [one.name, one.requires_scope])
      assert.deepEqual(
        names,
        Object.keys(datasets.leads[kind]).map((name) => [name, scope]),
      )
    }
    const filters = [on('between', RANGE.value, 'created_date'), on('eq', 'website', 'source')]
    const query = { dataset: 'leads', measures: ['lead_count'], dimensions: ['status'], filters }
    assert.equal((await post(query, key)).status, 200)
  }
})

test("a query's faults are reported before its missing scopes", async () => {
  const key = await keyOf(service.owner, clinic.clinic, ['analytics:read'])
  const [status, faultTexts] = await faults({ measures: ['net_revenue'], dimensions: ['x'] }, key)
  assert.deepEqual([status, faultTexts], [400, [`#/dimensions/0: ${DIMENSIONS}`]])
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
