// Checks a query beyond its schema: unknown names, and combinations that do not fit.
//
// Every fault is reported at once and names the allowed values, without those that the key's scopes do not open. A name that exists
// but is not open is no fault here: its missing scope is reported afterwards (`scopesOf`).
import type { Finding } from '../input/findings.ts'
import type { Scope } from '../scopes.ts'
import { duplicate, notAllowed } from './allowed-names.ts'
import { checkFilters } from './check-filters.ts'
import { type Dataset, dimensionScopes, type May, measureScope, opens } from './dataset.ts'
import { datasetOf } from './datasets.ts'
import { isOpen } from './describe-datasets.ts'
import { type SentQuery, sentQuery } from './sent-query.ts'

/**
 * The findings of a query's body, field by field. Skips values of a wrong type: the schema reports those.
 *
 * @example checkQuery({ dataset: 'treatments', measures: ['revenue'] }, () => true)
 *   // [{ place: '/measures/0', code: 'not_allowed', detail: 'must be one of: net_revenue, treatment_count' }, …]
 */
export function checkQuery(body: unknown, may: May): Finding[] {
  const query = sentQuery(body)
  const dataset = datasetOf(query.dataset, may)
  if (dataset === undefined || !isOpen(dataset, may)) return []
  return [
    ...checkMeasures(dataset, query, may),
    ...checkDimensions(dataset, query, may),
    ...checkFilters(dataset, query.filters, may),
    ...checkOrder(dataset, query),
  ]
}

/** The scopes that a query needs of a key in addition to its operation's own. */
export function scopesOf(body: unknown, may: May): Scope[] {
  const { dataset: name, measures, dimensions, filters } = sentQuery(body)
  const dataset = datasetOf(name, may)
  if (dataset === undefined) return []
  const grouped = [...dimensions, ...filters].flatMap((named) => named?.field ?? [])
  const scopes = [
    dataset.requires_scope,
    ...measures.flatMap((measure) => (measure === undefined ? [] : measureScope(dataset, measure))),
    ...grouped.flatMap((field) => dimensionScopes(dataset, field)),
  ]
  return [...new Set(scopes)].filter((scope) => scope !== undefined)
}

function checkMeasures(dataset: Dataset, { measures }: SentQuery, may: May): Finding[] {
  const allowed = Object.keys(dataset.measures).filter((name) => opens(measureScope(dataset, name), may))
  return measures.flatMap((name, at) => {
    if (name === undefined) return []
    const place = `/measures/${at}`
    if (!Object.hasOwn(dataset.measures, name)) return notAllowed(place, allowed, name)
    return measures.indexOf(name) < at ? duplicate(place, 'is named already: a measure is selected once') : []
  })
}

function checkDimensions(dataset: Dataset, { dimensions }: SentQuery, may: May): Finding[] {
  const allowed = Object.keys(dataset.dimensions).filter((name) => dimensionScopes(dataset, name).every(may))
  const times = allowed.filter((name) => dataset.dimensions[name]?.kind === 'time')
  return dimensions.flatMap((sent, at) => {
    if (sent === undefined) return []
    const { field, grain, isObject } = sent
    const place = `/dimensions/${at}`
    if (!Object.hasOwn(dataset.dimensions, field))
      return notAllowed(isObject ? `${place}/field` : place, allowed, field)
    if (grain !== null && dataset.dimensions[field]?.kind !== 'time') {
      return { place: `${place}/grain`, code: 'not_allowed', detail: `must be left out: it is for ${times.join(', ')}` }
    }
    const isAgain = dimensions.findIndex((other) => other?.field === field) < at
    return isAgain ? duplicate(place, 'is named already: a dimension is selected once, at one grain') : []
  })
}

function checkOrder(dataset: Dataset, { measures, dimensions, order }: SentQuery): Finding[] {
  // The selection is unknown, and the schema has reported that.
  if (measures.length === 0 || measures.includes(undefined) || dimensions.includes(undefined)) return []
  const selected = [...measures, ...dimensions.map((dimension) => dimension?.field)]
  const chosen = [...new Set(selected.flatMap((name) => name ?? []))]
  // A misspelt choice has its own fault, and is offered to nobody.
  const known = chosen.filter(
    (name) => Object.hasOwn(dataset.measures, name) || Object.hasOwn(dataset.dimensions, name),
  )
  return order.flatMap((sent, at) => {
    if (sent === undefined) return []
    const place = `/order/${at}/by`
    if (!chosen.includes(sent.by)) return notSelected(place, known, sent.by)
    const isAgain = order.findIndex((other) => other?.by === sent.by) < at
    return isAgain ? duplicate(place, 'is named already') : []
  })
}

function notSelected(place: string, known: readonly string[], sent: string): Finding {
  const detail =
    known.length === 0 ? 'must name a selected measure or dimension' : notAllowed(place, known, sent).detail
  return { place, code: 'not_selected', detail }
}
