// Splits a checked query, with its defaults filled in, into a shape and values. Each shape is compiled once.

import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { dateRange } from '@clinic-data/contract/analytics/check-filters'
import type { Dataset, Grain, Operator } from '@clinic-data/contract/analytics/dataset'
import { type DatasetName, datasets } from '@clinic-data/contract/analytics/datasets'
import { sentQuery } from '@clinic-data/contract/analytics/sent-query'
import type { SqlValue } from '@clinic-data/database'
import { decimalsOf } from '@clinic-data/records/resources/money'
import type { ParameterName } from './parameters.ts'

export type Query = HandlerInput<Operations['query.run']>['body']

/** Everything that the text of a statement depends on. It holds only names from the registry and words of the contract. */
export interface Shape {
  readonly dataset: DatasetName
  readonly measures: readonly string[]
  /** Time dimensions have a grain. */
  readonly dimensions: readonly { readonly field: string; readonly grain: Grain | null }[]
  /** Whether the date range has a lower and an upper end. */
  readonly hasFrom: boolean
  readonly hasTo: boolean
  /** All filters except the date range. */
  readonly filters: readonly { readonly field: string; readonly op: Operator }[]
  /** Ends with every dimension, so that no two rows are equal in it. */
  readonly order: readonly { readonly by: string; readonly isDescending: boolean }[]
  readonly weekStart: Clinic['week_start']
  /** Whether the clinic's currency has three decimals. */
  readonly inThousandths: boolean
}

export interface Question {
  readonly shape: Shape
  readonly values: Readonly<Partial<Record<ParameterName, SqlValue>>>
}

/** @param today the clinic's local date, from which ages are counted. */
export function questionOf(query: Query, clinic: Clinic, today: string): Question {
  const dataset: Dataset = datasets[query.dataset]
  const sent = sentQuery(query)
  const dimensions = sent.dimensions
    .flatMap((one) => one ?? [])
    .map(({ field, grain }) => {
      return { field, grain: dataset.dimensions[field]?.kind === 'time' ? (grain ?? 'day') : null }
    })
  const all = query.filters ?? []
  const filters = all.filter(({ field }) => field !== dataset.date_filter)
  const { from, to } = dateRange(dataset, all)
  return {
    shape: {
      dataset: query.dataset,
      measures: query.measures,
      dimensions,
      hasFrom: from !== undefined,
      hasTo: to !== undefined,
      filters: filters.map(({ field, op }) => ({ field, op })),
      order: orderOf(query, dimensions),
      weekStart: clinic.week_start,
      inThousandths: decimalsOf(clinic.currency) > 2,
    },
    values: {
      clinic_id: clinic.clinic_id,
      currency: clinic.currency,
      today,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      limit: limitOf(query),
      ...Object.fromEntries(filters.map(({ value }, at) => [`filter_${at}`, value as SqlValue])),
    },
  }
}

/** The most groups in the answer. */
function limitOf({ dataset, limit }: Query): number {
  const { cap } = datasets[dataset]
  return Math.min(limit ?? cap, cap)
}

/** The requested order. By default time ascending, or without a time dimension the first measure descending. All dimensions break ties. */
function orderOf({ measures, order = [] }: Query, dimensions: Shape['dimensions']): Shape['order'] {
  const requested = order.map(({ by, dir }) => ({ by, isDescending: dir === 'desc' }))
  const times = dimensions
    .filter(({ grain }) => grain !== null)
    .map(({ field }) => ({ by: field, isDescending: false }))
  const first = measures.slice(0, 1).map((by) => ({ by, isDescending: true }))
  const leading = requested.length > 0 ? requested : times.length > 0 ? times : first
  const ties = dimensions.filter(({ field }) => !leading.some(({ by }) => by === field))
  return [...leading, ...ties.map(({ field }) => ({ by: field, isDescending: false }))]
}
