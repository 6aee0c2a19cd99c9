// The form of a dataset: the names that a query may use, and the scope that each name needs.
import type { Scope } from '../scopes.ts'

export const grains = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Grain = (typeof grains)[number]

export const operators = ['eq', 'in', 'not_in', 'between', 'gte', 'lte'] as const
export type Operator = (typeof operators)[number]

/** `ratio` and `avg` are quotients of sums over the same records. Without records they are null. */
export type MeasureKind = 'count' | 'sum' | 'avg' | 'ratio' | 'count_distinct'

/** `currency` is major units with two decimals, or with the three of the clinic's currency; `percent` runs from 0 to 100. */
export type Unit = 'count' | 'currency' | 'percent' | 'minutes' | 'seconds' | 'days' | 'years'

export interface Measure {
  readonly kind: MeasureKind
  readonly unit: Unit
  readonly description: string
  readonly requires_scope?: Scope
}

export interface Dimension {
  /** `time`: a local date, grouped by a grain. */
  readonly kind: 'column' | 'time'
  readonly description: string
  /** The id of something that has a name. Rows hold the name as `<dimension>_label`. */
  readonly labelled?: true
  readonly requires_scope?: Scope
  /** The scope of the records whose patients it names, which it needs too. */
  readonly requires_also?: Scope
}

export type FilterType = 'date' | 'id_list' | 'string_list' | 'boolean'

export const filterOperators: Readonly<Record<FilterType, readonly Operator[]>> = {
  date: ['between', 'gte', 'lte'],
  id_list: ['eq', 'in', 'not_in'],
  string_list: ['eq', 'in', 'not_in'],
  boolean: ['eq'],
}

/** As a descriptor names them: the specification writes those of ids so. `eq` is taken besides, for whoever asks for one id. */
export const describedOperators: Readonly<Record<FilterType, readonly Operator[]>> = {
  ...filterOperators,
  id_list: ['in', 'not_in'],
}

/** Needs the scope of the dimension of the same name. */
export interface Filter {
  readonly type: FilterType
  /** All possible values, unless the clinic defines its own. */
  readonly values?: readonly string[]
}

export interface Dataset {
  readonly name: string
  readonly description: string
  /** The scope that every query of the dataset needs in addition to `analytics:read`. */
  readonly requires_scope?: Scope
  /** Another scope that does instead of it. */
  readonly opened_also_by?: Scope
  /** A query needs a closed range on `date_filter`. */
  readonly requires_date_range: boolean
  /** The filter by date. */
  readonly date_filter: string
  /** The most groups in one answer. */
  readonly cap: number
  readonly measures: Readonly<Record<string, Measure>>
  readonly dimensions: Readonly<Record<string, Dimension>>
  readonly filters: Readonly<Record<string, Filter>>
}

/** Writes a dataset with its names kept as types. */
export function dataset<const D extends Dataset>(written: D): D {
  return written
}

/** Whether a key holds a scope. */
export type May = (scope: Scope) => boolean

/** As a key sees it: where either of two scopes opens it, with the one that the key holds. */
export function seenBy(dataset: Dataset, may: May): Dataset {
  const { requires_scope, opened_also_by } = dataset
  const isOther = opened_also_by !== undefined && may(opened_also_by) && !opens(requires_scope, may)
  return isOther ? { ...dataset, requires_scope: opened_also_by } : dataset
}

/** Without a scope, anything is open to every key. */
export function opens(scope: Scope | undefined, may: May): boolean {
  return scope === undefined || may(scope)
}

export function measureScope(dataset: Dataset, name: string): Scope | undefined {
  return dataset.measures[name]?.requires_scope ?? dataset.requires_scope
}

/** The scope of a dimension, or of the filter of the same name. */
export function dimensionScope(dataset: Dataset, name: string): Scope | undefined {
  return dataset.dimensions[name]?.requires_scope ?? dataset.requires_scope
}

/** All scopes of a dimension, or of the filter of the same name. */
export function dimensionScopes(dataset: Dataset, name: string): Scope[] {
  const scopes = [dimensionScope(dataset, name), dataset.dimensions[name]?.requires_also]
  return scopes.filter((scope) => scope !== undefined)
}

/** 0 is Sunday. */
export const weekdays = ['0', '1', '2', '3', '4', '5', '6'] as const

/** In whole years, on the day of the query. */
export const ageBands = ['0-17', '18-29', '30-44', '45-64', '65+'] as const
