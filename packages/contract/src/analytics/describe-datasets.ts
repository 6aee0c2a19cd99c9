// Describes the datasets for a key, without the names that its scopes do not open.

import type { Static } from '../schema/schema.ts'
import type { Scope } from '../scopes.ts'
import {
  type Dataset,
  describedOperators,
  dimensionScope,
  dimensionScopes,
  grains,
  type May,
  measureScope,
  opens,
  seenBy,
} from './dataset.ts'
import { datasetNames, datasets } from './datasets.ts'
import type { DatasetDescriptor } from './query.ts'

type Descriptor = Static<typeof DatasetDescriptor>

/** The datasets that a key may see at least a part of, in a fixed order. */
export function describeDatasets(may: May): Descriptor[] {
  const seen = datasetNames.map((name) => seenBy(datasets[name], may))
  return seen.filter((dataset) => isOpen(dataset, may)).map((dataset) => describeDataset(dataset, may))
}

export function isOpen({ requires_scope }: Dataset, may: May): boolean {
  return opens(requires_scope, may)
}

/** @param dataset as the key sees it. */
export function describeDataset(dataset: Dataset, may: May): Descriptor {
  const { name, description, requires_date_range, date_filter } = dataset
  const measures = Object.entries(dataset.measures).flatMap(([name, { kind, unit, description }]) => {
    const scope = measureScope(dataset, name)
    return opens(scope, may) ? { name, kind, unit, ...required(scope), description } : []
  })
  const dimensions = Object.entries(dataset.dimensions).flatMap(([name, { kind, description }]) => {
    const scope = dimensionScope(dataset, name)
    if (!dimensionScopes(dataset, name).every(may)) return []
    return { name, kind, ...(kind === 'time' ? { grains: [...grains] } : {}), ...required(scope), description }
  })
  const filters = Object.entries(dataset.filters).flatMap(([name, { type, values }]) => {
    const scope = dimensionScope(dataset, name)
    if (!dimensionScopes(dataset, name).every(may)) return []
    const operators = [...describedOperators[type]]
    return { name, type, operators, ...(values ? { values: [...values] } : {}), ...required(scope) }
  })
  return { name, description, measures, dimensions, filters, requires_date_range, date_filter }
}

function required(requires_scope: Scope | undefined): { requires_scope?: Scope } {
  return requires_scope === undefined ? {} : { requires_scope }
}
