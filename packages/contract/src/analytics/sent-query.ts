// A query as it was sent, before it is checked. Parts of the right form are present, the rest is undefined. A part that has its name
// is present whatever else is wrong in it, so that the name is checked too.
import { type Grain, grains, type Operator, operators } from './dataset.ts'

export interface SentDimension {
  field: string
  /** Null where none was sent, or none that exists. For a time dimension that means the day. */
  grain: Grain | null
  /** Sent as an object, not as a bare name. */
  isObject: boolean
}

export interface SentFilter {
  field: string
  /** Undefined where none was sent, or none that exists. */
  op: Operator | undefined
  value: unknown
}

export interface SentOrder {
  by: string
}

/** The maximum of each kind in one query: more than any dataset has. */
export const MOST_NAMES = 32

/** Lists keep their places: an unreadable item is undefined. Items beyond the longest list are dropped. */
export interface SentQuery {
  dataset: unknown
  measures: (string | undefined)[]
  dimensions: (SentDimension | undefined)[]
  filters: (SentFilter | undefined)[]
  order: (SentOrder | undefined)[]
}

export function sentQuery(body: unknown): SentQuery {
  const { dataset, measures, dimensions, filters, order } = fields(body)
  return {
    dataset,
    measures: list(measures).map(text),
    dimensions: list(dimensions).map(dimension),
    filters: list(filters).map(filter),
    order: list(order).map(sorted),
  }
}

function dimension(sent: unknown): SentDimension | undefined {
  if (typeof sent === 'string') return { field: sent, grain: null, isObject: false }
  const { field, grain } = fields(sent)
  return typeof field === 'string' ? { field, grain: isOneOf(grains, grain) ? grain : null, isObject: true } : undefined
}

function filter(sent: unknown): SentFilter | undefined {
  const { field, op, value } = fields(sent)
  return typeof field === 'string' ? { field, op: isOneOf(operators, op) ? op : undefined, value } : undefined
}

function sorted(sent: unknown): SentOrder | undefined {
  const { by } = fields(sent)
  return typeof by === 'string' ? { by } : undefined
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MOST_NAMES) : []
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isOneOf<T extends string>(choices: readonly T[], value: unknown): value is T {
  return (choices as readonly unknown[]).includes(value)
}
