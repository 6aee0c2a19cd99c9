// Generates queries of any form that the contract allows, with dates around a given day.
import { type Dataset, filterOperators, grains } from '@clinic-data/contract/analytics/dataset'
import { datasetNames, datasets } from '@clinic-data/contract/analytics/datasets'
import fc from 'fast-check'
import type { Query } from '../src/question.ts'
import { EDGE_DAYS } from './model-clinic.ts'

type Filter = NonNullable<Query['filters']>[number]

/** Ids of the model's clinic, and one that nobody has. */
const ids: Readonly<Record<string, readonly string[]>> = {
  provider: ['r0', 'r1', 'r2', 'nobody'],
  branch: ['b0', 'b1', 'nobody'],
  treatment: ['menu0', 'menu1', 'menu2'],
  treatment_category: ['category0', 'category1'],
  type: ['type0', 'type1'],
  billing_account: ['account0', 'account1'],
  agent: ['agent0', 'agent1'],
  utm_source: ['google', 'meta'],
  utm_medium: ['cpc', 'true', '7'],
  utm_campaign: ['חורף', 'summer'],
  template: ['reminder', 'Reminder', 'none'],
}

const statuses = { patients: ['status0', 'status1'], appointments: ['s0', 's3', 's4', 's5'] }

export function modelQuery(first: string): fc.Arbitrary<Query> {
  return fc.constantFrom(...datasetNames).chain((name) => {
    const dataset: Dataset = datasets[name]
    const valuesOf = (field: string): readonly (string | number)[] => {
      const values = dataset.filters[field]?.values
      if (field === 'weekday') return ['0', 1, 2, '3', 4, 5, 6]
      if (values) return values
      return (field === 'status' ? statuses[name as keyof typeof statuses] : ids[field]) ?? []
    }
    const filter = fc.constantFrom(...Object.keys(dataset.filters).filter((field) => field !== dataset.date_filter))
    const conditions = fc.array(
      filter.chain((field) => condition(dataset, field, valuesOf(field))),
      { maxLength: 2, size: 'max' },
    )
    return fc
      .record({
        measures: fc.shuffledSubarray(Object.keys(dataset.measures), {
          minLength: 1,
          maxLength: Math.min(4, Object.keys(dataset.measures).length),
        }),
        dimensions: fc
          .shuffledSubarray(Object.keys(dataset.dimensions), {
            maxLength: Math.min(3, Object.keys(dataset.dimensions).length),
          })
          .chain((names) => fc.tuple(...names.map((field) => dimension(dataset, field)))),
        range: range(dataset, first),
        conditions,
        limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 3 }),
      })
      .chain(({ measures, dimensions, range, conditions, limit }) => {
        const selected = [...measures, ...dimensions.map((one) => (typeof one === 'string' ? one : one.field))]
        return fc
          .shuffledSubarray(selected, { maxLength: Math.min(2, selected.length) })
          .chain((names) =>
            fc.tuple(
              ...names.map((by) =>
                fc.record({ by: fc.constant(by), dir: fc.constantFrom('asc' as const, 'desc' as const) }),
              ),
            ),
          )
          .map(
            (order): Query => ({
              dataset: name,
              measures,
              dimensions,
              filters: [...conditions, ...range],
              order,
              ...(limit === undefined ? {} : { limit }),
            }),
          )
      })
  })
}

function dimension(dataset: Dataset, field: string) {
  if (dataset.dimensions[field]?.kind !== 'time') return fc.constant(field)
  return fc.oneof(
    fc.constant(field),
    fc.constant({ field }),
    fc.record({ field: fc.constant(field), grain: fc.constantFrom(...grains) }),
  )
}

function condition(dataset: Dataset, field: string, values: readonly (string | number)[]): fc.Arbitrary<Filter> {
  const type = dataset.filters[field]?.type ?? 'id_list'
  if (type === 'boolean') return fc.boolean().map((value) => ({ field, op: 'eq', value }))
  return fc
    .tuple(fc.constantFrom(...filterOperators[type]), fc.subarray([...values], { minLength: 1, maxLength: 2 }))
    .map(([op, some]): Filter => ({ field, op, value: op === 'eq' ? (some[0] ?? '') : some }))
}

/** Mostly within the clinic's ten days. Only `utilization` never begins years before, because there each day costs time. */
function range(dataset: Dataset, first: string): fc.Arbitrary<Filter[]> {
  const field = dataset.date_filter
  const day = (offset: number) =>
    new Date(Date.parse(`${first}T00:00:00Z`) + offset * 86_400_000).toISOString().slice(0, 10)
  const begins =
    dataset.name === 'utilization' ? fc.integer({ min: -1, max: EDGE_DAYS }) : fc.constantFrom(-2000, -450, -1, 0, 2, 5)
  return fc
    .tuple(begins, fc.nat(6), fc.constantFrom('between', 'ends', 'from', 'none', 'several'), fc.nat(6))
    .map(([begin, length, form, within]): Filter[] => {
      const [from, to] = [day(begin), day(Math.max(begin, 0) + length)]
      const [gte, lte]: Filter[] = [
        { field, op: 'gte', value: from },
        { field, op: 'lte', value: to },
      ]
      if (!dataset.requires_date_range && form === 'none') return []
      if (!dataset.requires_date_range && form === 'from') return gte ? [gte] : []
      if (form === 'several' && gte && lte) {
        const later = day(Math.max(begin, 0) + Math.min(within, length))
        return [
          lte,
          { field, op: 'gte', value: later },
          { field, op: 'between', value: [from, day(EDGE_DAYS * 2)] },
          gte,
        ]
      }
      return form === 'between' || !gte || !lte ? [{ field, op: 'between', value: [from, to] }] : [lte, gte]
    })
}
