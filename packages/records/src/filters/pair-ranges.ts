// Ranges of an index on pairs of parts, `first second`: of the pairs with one beginning they leave out those with another second part.
import { type Statement, sql } from '@clinic-data/database'

/** Pairs from `low` to before `high` whose second part begins with `second`. */
export interface PairRange {
  readonly low: string
  readonly high: string
  readonly second: string
}

/** Greater than the space in a pair, and smaller than any letter or digit. */
const AFTER_SPACE = '!'
/** Greater than any character that can follow the beginning of a pair. */
export const LAST_CHARACTER = '\u{10ffff}'

/**
 * Pairs of which the first part is `first`: they lie together with their second one. And behind them, where `begins`, those of which
 * the first part begins so.
 */
export function pairRanges(first: string, second: string, begins: boolean): PairRange[] {
  const low = `${first} ${second}`
  const whole = { low, high: low + LAST_CHARACTER, second: '' }
  return begins ? [whole, { low: first + AFTER_SPACE, high: first + LAST_CHARACTER, second }] : [whole]
}

/** The ranges as a relation of `low`, `high` and `second`. */
export function rangeRelation(ranges: readonly PairRange[]): Statement {
  const column = (of: keyof PairRange) => sql`${ranges.map((range) => range[of])}::text[]`
  return sql`unnest(${column('low')}, ${column('high')}, ${column('second')})`
}

/** @param range a row of the relation */
export function isInRange(pair: Statement, range: Statement): Statement {
  return sql`${pair} >= ${range}.low and ${pair} < ${range}.high and ${isFollowed(pair, sql`${range}.second`)}`
}

/** @param second ends with a space where it is the whole part */
export function isFollowed(pair: Statement, second: Statement): Statement {
  return sql`starts_with(split_part(${pair}, ' ', 2) || ' ', ${second})`
}
