// The lanes that have deliveries which wait, in the order of the index of these: it goes from each such lane to the next, however many wait
// in one. Other lanes cost nothing (docs/decisions/0148).
import { sql } from '@clinic-data/database'

/**
 * Planning over all days costs more than a look, so a plan is kept. One that was made when a day was empty must not read all of that day
 * later: it goes through the indexes, in their order, and stops at the first row that fits.
 */
export const PLANNED_ONCE = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
}

const first = sql`order by d.clinic_id, d.subscription_id limit 1`

/** The beginning of a statement whose relation `waiting` has them. A cluster refuses this recursion over several clinics. */
export const withWaitingLanes = sql`with recursive waiting as (
    (select d.clinic_id, d.subscription_id from delivery d where d.status = 'pending' ${first})
    union all
    select next.clinic_id, next.subscription_id from waiting cross join lateral (
      select d.clinic_id, d.subscription_id from delivery d
      where d.status = 'pending' and (d.clinic_id, d.subscription_id) > (waiting.clinic_id, waiting.subscription_id)
      ${first}) next)`
