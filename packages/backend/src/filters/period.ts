// A list's bounds in time, as conditions on a column. Days are in the session's zone, which is the clinic's.
import { type Statement, sql } from '@clinic-data/database'

const DAY = /^\d{4}-\d\d-\d\d$/

/** `from` and `to` (both inclusive): an ISO 8601 instant, or a local day from its first instant through its last. */
export function within(
  column: Statement,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Statement[] {
  const bounds: Statement[] = []
  // A row without that time sorts as infinity and is in no period.
  if (from === undefined && to !== undefined) bounds.push(sql`${column} > '-infinity'`)
  if (to === undefined && from !== undefined) bounds.push(sql`${column} < 'infinity'`)
  if (from !== undefined) bounds.push(sql`${column} >= ${DAY.test(from) ? firstInstant(sql`${from}::date`) : at(from)}`)
  if (to !== undefined) {
    bounds.push(DAY.test(to) ? sql`${column} < ${firstInstant(sql`${to}::date + 1`)}` : sql`${column} <= ${at(to)}`)
  }
  return bounds
}

/** `updated_since`, inclusive. */
export function changedSince(column: Statement, updated_since: string): Statement {
  return sql`${column} >= ${at(updated_since)}`
}

/**
 * The first instant of a local day.
 *
 * When midnight comes twice PostgreSQL takes the second, so this takes the second after the last one of the day before. When that
 * one is skipped, it is too late, and midnight itself is right. The earlier of the two is always right.
 */
export function firstInstant(day: Statement): Statement {
  return sql`least((${day})::timestamptz, ((${day}) - 1 + time '23:59:59')::timestamptz + interval '1 second')`
}

/** A `+` that arrived as a space is the offset's sign. */
function at(instant: string): Statement {
  return sql`${instant.replace(' ', '+')}::timestamptz`
}
