// Checks the order of a list's rows against the order in the contract.
import type { ListOrder, Operation } from '@clinic-data/contract'
import { idOf, type Row, textAt, valueAt } from './row.ts'

/** The order of every list under `updated_since`. */
export const changeOrder: ListOrder = { by: 'updated_at', kind: 'instant', direction: 'ascending' }

/** Null for a feed, and for an operation that is not a list. */
export function orderOf({ order }: Operation): ListOrder | null {
  return order === undefined || order === 'feed' ? null : order
}

/** `from` and `to` compare the column by which a list is ordered in time. */
export function periodColumn(operation: Operation): string | null {
  const order = orderOf(operation)
  return order?.kind === 'instant' ? order.by : null
}

/** @returns the first row that is out of order, and why. Null when all are in order. */
export function outOfOrder(rows: readonly Row[], order: ListOrder): { row: Row; why: string } | null {
  const before = comparisons.filter((compare) => firstWrong(rows, order, compare) === null)
  return before.length > 0 ? null : firstWrong(rows, order, codePoints)
}

type Compare = (a: string, b: string) => number

const collator = new Intl.Collator('en')

function codePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Ids may be sorted as numbers, and names as people sort them, as long as the whole list uses one order. */
const comparisons: readonly Compare[] = [
  codePoints,
  (a, b) => a.length - b.length || codePoints(a, b),
  collator.compare,
]

function firstWrong(rows: readonly Row[], order: ListOrder, compare: Compare): { row: Row; why: string } | null {
  const sign = order.direction === 'ascending' ? 1 : -1
  for (const [i, row] of rows.entries()) {
    const last = rows[i - 1]
    if (last === undefined) continue
    const [a, b] = [sortKey(last, order), sortKey(row, order)]
    if (a === null && b !== null) return { row, why: `stands behind a row whose ${order.by} is null` }
    if (b === null && a !== null) continue
    const step = a === null || b === null ? 0 : typeof a === 'number' ? a - Number(b) : compare(a, String(b))
    if (step * sign > 0) return { row, why: `stands behind a row whose ${order.by} comes later in this order` }
    if (step !== 0 || order.kind === 'id') continue
    if (compare(idOf(last) ?? '', idOf(row) ?? '') * sign > 0) {
      return { row, why: `is equal in ${order.by} to the row before, whose id comes later in this order` }
    }
  }
  return null
}

/** Instants become epoch milliseconds, so that offsets do not matter. */
function sortKey(row: Row, { by, kind }: ListOrder): number | string | null {
  if (valueAt(row, by) === null) return null
  const text = textAt(row, by) ?? ''
  return kind === 'instant' ? Date.parse(text) : text
}
