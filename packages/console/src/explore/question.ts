// A question to the clinic's numbers: as the page's address writes it, and as the contract's query.

import type { V1Answer, V1Body } from '@clinic-data/console-parts/v1'
import type { Grain, Operator } from '@clinic-data/contract/analytics/dataset'
import type { Search } from '../places.tsx'

export type Descriptor = V1Answer<'metrics.describe'>['data']['datasets'][number]
export type QueryBody = V1Body<'query.run'>
export type Answer = V1Answer<'query.run'>['data']
export type Warnings = NonNullable<V1Answer<'query.run'>['meta']>['warnings']
export type Value = string | number | boolean | null

export const GRAINS = ['day', 'week', 'month', 'quarter', 'year'] as const satisfies readonly Grain[]
const OPERATORS = ['eq', 'in', 'not_in', 'between', 'gte', 'lte'] as const satisfies readonly Operator[]
export const LIMITS = [10, 25, 100, 1_000] as const
export const USUAL_LIMIT = 100

export interface By {
  readonly field: string
  /** A time dimension has one. Null: the day. */
  readonly grain: Grain | null
}

export interface Condition {
  readonly field: string
  readonly op: Operator
  readonly values: readonly string[]
}

export interface Question {
  readonly dataset: string
  readonly measures: readonly string[]
  readonly by: readonly By[]
  /** The first day and the last, `YYYY-MM-DD`. Empty: open. */
  readonly from: string
  readonly to: string
  readonly where: readonly Condition[]
  readonly order: { readonly by: string; readonly dir: 'asc' | 'desc' } | null
  readonly limit: number
}

const isOneOf = <T extends string>(choices: readonly T[], text: string): text is T =>
  (choices as readonly string[]).includes(text)
const parts = (text: string | undefined, separator: string) =>
  (text ?? '').split(separator).filter((part) => part !== '')

/** The question of an address. Null where it asks none. What cannot be read is left out. */
export function questionOf(search: Search): Question | null {
  const { dataset, measures, by, from = '', to = '', where, order = '', limit } = search
  if (dataset === undefined) return null
  const [ordered = '', dir = 'asc'] = order.split(':')
  return {
    dataset,
    measures: parts(measures, ','),
    by: parts(by, ',').map((word) => {
      const [field = '', grain = ''] = word.split(':')
      return { field, grain: isOneOf(GRAINS, grain) ? grain : null }
    }),
    from,
    to,
    where: parts(where, ';').flatMap(conditionOf),
    order: ordered === '' ? null : { by: ordered, dir: dir === 'desc' ? 'desc' : 'asc' },
    limit: /^[1-9]\d{0,8}$/.test(limit ?? '') ? Number(limit) : USUAL_LIMIT,
  }
}

/** `provider:in:dr-cohen,dr-levi`. Values are encoded, because they may hold the marks between them. */
function conditionOf(text: string): Condition[] {
  const [field = '', op = '', values = ''] = text.split(':')
  if (!isOneOf(OPERATORS, op)) return []
  try {
    return [{ field, op, values: parts(values, ',').map(decodeURIComponent) }]
  } catch {
    return []
  }
}

export function searchOf({ dataset, measures, by, from, to, where, order, limit }: Question): Search {
  return {
    dataset,
    measures: measures.join(','),
    by: by.map(({ field, grain }) => (grain === null ? field : `${field}:${grain}`)).join(','),
    from,
    to,
    where: where.map(({ field, op, values }) => `${field}:${op}:${values.map(encodeURIComponent).join(',')}`).join(';'),
    order: order === null ? '' : `${order.by}:${order.dir}`,
    limit: limit === USUAL_LIMIT ? '' : String(limit),
  }
}

/** The query that the question is. @param dateField the dataset's `date_filter` */
export function bodyOf(question: Question, dateField: string): QueryBody {
  const { dataset, measures, by, order, limit } = question
  const filters = [...rangeOf(question, dateField), ...question.where.filter(isWhole).map(filterOf)]
  return {
    // The service checks the name, and tells where it is not one.
    dataset: dataset as QueryBody['dataset'],
    measures: [...measures],
    ...(by.length > 0 && { dimensions: by.map(({ field, grain }) => (grain === null ? field : { field, grain })) }),
    ...(filters.length > 0 && { filters }),
    ...(order !== null && { order: [order] }),
    limit,
  }
}

type Filters = NonNullable<QueryBody['filters']>

export function rangeOf({ from, to }: Pick<Question, 'from' | 'to'>, field: string): Filters {
  if (from !== '' && to !== '') return [{ field, op: 'between', value: [from, to] }]
  if (from !== '') return [{ field, op: 'gte', value: from }]
  return to === '' ? [] : [{ field, op: 'lte', value: to }]
}

/** A condition that is being written has no values yet. */
export const isWhole = ({ values }: Condition) => values.length > 0

function filterOf({ field, op, values }: Condition): Filters[number] {
  const [first = ''] = values
  if (op === 'in' || op === 'not_in' || op === 'between') return { field, op, value: [...values] }
  return { field, op, value: first === 'true' || first === 'false' ? first === 'true' : first }
}

/** A question about another dataset keeps the range alone. */
export function questionAbout({ name, measures }: Descriptor, { from, to }: Pick<Question, 'from' | 'to'>): Question {
  const [first] = measures
  return {
    dataset: name,
    measures: first === undefined ? [] : [first.name],
    by: [],
    from,
    to,
    where: [],
    order: null,
    limit: USUAL_LIMIT,
  }
}
