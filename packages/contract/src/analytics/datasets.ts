// The datasets, by name.
import { type Dataset, type May, seenBy } from './dataset.ts'
import { appointments } from './datasets/appointments.ts'
import { calls } from './datasets/calls.ts'
import { chat } from './datasets/chat.ts'
import { leads } from './datasets/leads.ts'
import { patients } from './datasets/patients.ts'
import { payments } from './datasets/payments.ts'
import { production } from './datasets/production.ts'
import { treatments } from './datasets/treatments.ts'
import { utilization } from './datasets/utilization.ts'

export const datasets = {
  treatments,
  production,
  appointments,
  payments,
  patients,
  leads,
  calls,
  chat,
  utilization,
} as const satisfies Readonly<Record<string, Dataset>>

export type Datasets = typeof datasets
export type DatasetName = keyof Datasets
export type MeasureName<N extends DatasetName> = keyof Datasets[N]['measures'] & string
export type DimensionName<N extends DatasetName> = keyof Datasets[N]['dimensions'] & string
export type FilterName<N extends DatasetName> = keyof Datasets[N]['filters'] & string

export const datasetNames = Object.keys(datasets) as readonly DatasetName[]

/** The filters by an id, of any dataset. */
export const idFilters: readonly string[] = [
  ...new Set(
    Object.values<Dataset>(datasets).flatMap(({ filters }) =>
      Object.keys(filters).filter((name) => filters[name]?.type === 'id_list'),
    ),
  ),
]

/** The dataset as a key sees it. Inherited names are not datasets. */
export function datasetOf(name: unknown, may: May): Dataset | undefined {
  return typeof name === 'string' && Object.hasOwn(datasets, name)
    ? seenBy(datasets[name as DatasetName], may)
    : undefined
}
