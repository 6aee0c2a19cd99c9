// The rule of `updated_at`: of two forms of a record the later one has the later time, whatever the clock says.
import { type Statement, sql } from '@clinic-data/database'

/**
 * For the row `stored`, which changes: the time of the change, or 1 ms after the last one if that is later. Citus refuses
 * functions in an update that are not immutable, hence the detour through a plain timestamp.
 */
export function risenUpdatedAt(at: Date | Statement): Statement {
  return sql`greatest(${at}, (stored.updated_at at time zone 'UTC' + interval '1 ms') at time zone 'UTC')`
}
