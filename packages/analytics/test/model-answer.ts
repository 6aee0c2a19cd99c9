// Computes the answer to a query the slow way: plain loops over records, and sets for distinct counts.
import type { Dataset, Grain } from '@clinic-data/contract/analytics/dataset'
import { datasets } from '@clinic-data/contract/analytics/datasets'
import type { Query } from '../src/question.ts'
import type { ModelClinic } from './model-clinic.ts'
import type { ModelDataset, ModelMeasure, ModelRecord, Value } from './model-record.ts'
import { modelDatasets } from './model-records.ts'

type Group = Record<string, Value>

export function modelAnswer(clinic: ModelClinic, query: Query, today: string) {
  const dataset: Dataset = datasets[query.dataset]
  const model: ModelDataset = modelDatasets[query.dataset]
  const base = model.records(clinic, today).filter((record) => isAsked(dataset, query, record))
  const dimensions = (query.dimensions ?? []).map((one) =>
    typeof one === 'string' ? { field: one, grain: 'day' as const } : { grain: 'day' as const, ...one },
  )
  const compute = (records: readonly ModelRecord[], by: readonly string[]) =>
    query.measures.map((name): [string, number | null] => {
      const measure = (model.measures as Record<string, ModelMeasure>)[name]
      if (measure === undefined) throw new Error(name)
      return [name, measure(records, by)]
    })

  const groups = new Map<string, ModelRecord[]>()
  for (const record of base) {
    const values = dimensions.map(({ field, grain }) =>
      valuesOf(query, record, field).map((value) => {
        const isTime = dataset.dimensions[field]?.kind === 'time'
        return isTime && value !== null ? periodOf(String(value), grain, clinic.week_start) : value
      }),
    )
    for (const combination of combinations(values)) {
      const key = JSON.stringify(combination)
      groups.set(key, [...(groups.get(key) ?? []), record])
    }
  }
  const rows = [...groups].map(([key, records]): Group => {
    const values = JSON.parse(key) as Value[]
    const named = dimensions.flatMap(({ field }, at): [string, Value][] => {
      const value = values[at] ?? null
      const label: [string, Value][] = dataset.dimensions[field]?.labelled
        ? [[`${field}_label`, value === null ? null : labelOf(String(value))]]
        : []
      return [[field, value], ...label]
    })
    return Object.fromEntries([
      ...named,
      ...compute(
        records,
        dimensions.map(({ field }) => field),
      ),
    ])
  })
  const order = orderOf(
    dataset,
    query,
    dimensions.map(({ field }) => field),
  )
  rows.sort((a, b) => order.reduce((found, [by, dir]) => found || compare(a[by] ?? null, b[by] ?? null, dir), 0))
  const limit = Math.min(query.limit ?? dataset.cap, dataset.cap)
  return {
    rows: rows.slice(0, limit),
    totals: Object.fromEntries(compute(base, [])),
    truncated: rows.length > limit,
    group_count: rows.length,
  }
}

/** The names under which ids are stored. */
export const labelOf = (id: string) => `Name of ${id}`

function isAsked(dataset: Dataset, { filters = [] }: Query, record: ModelRecord): boolean {
  return filters.every(({ field, op, value }) => {
    if (field === dataset.date_filter) return isWithin(record.day, op, value)
    const own = [(record.dimensions as Record<string, Value | Value[]>)[field] ?? null].flat()
    const wanted = [value].flat().map(String)
    const isAmong = own.some((one) => one !== null && wanted.includes(String(one)))
    return op === 'not_in' ? !isAmong : isAmong
  })
}

function isWithin(day: string | null, op: string, value: unknown): boolean {
  if (day === null) return false
  const [first, last] = [value].flat() as string[]
  if (op === 'gte') return day >= (first ?? '')
  if (op === 'lte') return day <= (first ?? '')
  return day >= (first ?? '') && day <= (last ?? '')
}

/** The values of a record that the filters ask for. If there are none, the list holds only null. */
function valuesOf({ filters = [] }: Query, { dimensions }: ModelRecord, field: string): Value[] {
  const own = (dimensions as Record<string, Value | Value[]>)[field] ?? null
  if (!Array.isArray(own)) return [own]
  const matching = filters.filter((filter) => filter.field === field && filter.op !== 'not_in')
  const wanted = matching.flatMap(({ value }) => value).map(String)
  const shown = matching.length > 0 ? own.filter((one) => wanted.includes(String(one))) : own
  return shown.length === 0 ? [null] : shown
}

function combinations(values: Value[][]): Value[][] {
  return values.reduce<Value[][]>((all, some) => all.flatMap((one) => some.map((value) => [...one, value])), [[]])
}

function periodOf(day: string, grain: Grain, weekStart: 0 | 1): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (grain === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() - weekStart + 7) % 7))
  if (grain === 'month' || grain === 'quarter' || grain === 'year') date.setUTCDate(1)
  if (grain === 'quarter') date.setUTCMonth(Math.floor(date.getUTCMonth() / 3) * 3)
  if (grain === 'year') date.setUTCMonth(0)
  return date.toISOString().slice(0, 10)
}

function orderOf(dataset: Dataset, { measures, order = [] }: Query, dimensions: string[]): [string, 'asc' | 'desc'][] {
  const times = dimensions.filter((name) => dataset.dimensions[name]?.kind === 'time')
  const leading: [string, 'asc' | 'desc'][] =
    order.length > 0
      ? order.map(({ by, dir }) => [by, dir])
      : times.length > 0
        ? times.map((name) => [name, 'asc'])
        : [[measures[0] ?? '', 'desc']]
  return [...leading, ...dimensions.map((name): [string, 'asc'] => [name, 'asc'])]
}

function compare(a: Value, b: Value, dir: 'asc' | 'desc'): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return (a < b ? -1 : 1) * (dir === 'asc' ? 1 : -1)
}
