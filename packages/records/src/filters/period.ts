// Turns the time bounds of a list into conditions on a column. Days are in the session's time zone, which is the clinic's.
import { type Statement, sql } from '@clinic-data/database'

const DAY = /^\d{4}-\d\d-\d\d$/

/** `from` and `to` are inclusive. Each is an ISO 8601 instant, or a local day, which is included as a whole. */
export function within(
  column: Statement,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Statement[] {
  const bounds: Statement[] = []
  // A row without this time holds an infinity, which sorts last and belongs to no period.
  if (from === undefined && to !== undefined) bounds.push(sql`${column} > '-infinity'`)
  if (to === undefined && from !== undefined) bounds.push(sql`${column} < 'infinity'`)
  if (from !== undefined) bounds.push(sql`${column} >= ${DAY.test(from) ? firstInstant(sql`${from}::date`) : at(from)}`)
  if (to !== undefined) {
    bounds.push(DAY.test(to) ? sql`${column} < ${firstInstant(sql`${to}::date + 1`)}` : sql`${column} <= ${at(to)}`)
  }
  return bounds
}

/** The bound `updated_since` is inclusive. */
export function changedSince(column: Statement, updated_since: string): Statement {
  return sql`${column} >= ${at(updated_since)}`
}

/**
 * The first instant of a local day.
 *
 * If midnight occurs twice, PostgreSQL takes the later one. The right instant is then one second after 23:59:59 of the day before.
 * If the clock skips 23:59:59, that instant is too late, and midnight itself is right. So the earlier of the two is always right.
 */
export function firstInstant(day: Statement): Statement {
  return sql`least((${day})::timestamptz, ((${day}) - 1 + time '23:59:59')::timestamptz + interval '1 second')`
}

/** Restores the `+` of an offset that arrived as a space. */
function at(instant: string): Statement {
  return sql`${instant.replace(' ', '+')}::timestamptz`
}
