// The rule of `updated_at`: a later form of a record has a later time, even if the clock was set back.
import { type Statement, sql } from '@clinic-data/database'

/**
 * For the row `stored`, which changes: the time of the change, or 1 ms after the last one if that is later. Goes through a plain
 * timestamp, because Citus refuses functions in an update that are not immutable.
 */
export function risenUpdatedAt(at: Date | Statement): Statement {
  return sql`greatest(${at}, (stored.updated_at at time zone 'UTC' + interval '1 ms') at time zone 'UTC')`
}
