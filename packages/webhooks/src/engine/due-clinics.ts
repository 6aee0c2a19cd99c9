// Finds the clinics that have due deliveries, without a notice: each dispatcher looks once a second.
//
// Most lanes have nothing that waits. So the index of waiting deliveries is asked first: the look costs as much as there are lanes that have
// some, not as there are subscriptions (docs/decisions/0148).
import { type Database, type Statement, sql } from '@clinic-data/database'
import { PLANNED_ONCE, withWaitingLanes } from './waiting-lanes.ts'

export async function dueClinics(database: Database, now: Date, most: number): Promise<string[]> {
  // A cluster refuses recursion over several clinics. Its workers share the lanes.
  const rows = database.isCluster
    ? await database.readAsDispatcher<Found>(clinicsOf(sql`lane`, sql.empty, now, most))
    : await database.readAsDispatcher<Found>(clinicsThatWait(now, most), PLANNED_ONCE)
  return rows.map(({ clinic_id }) => clinic_id)
}

interface Found {
  clinic_id: string
}

function clinicsThatWait(now: Date, most: number): Statement {
  const lanes = sql`waiting join lane using (clinic_id, subscription_id)`
  return sql`${withWaitingLanes} ${clinicsOf(lanes, ONE_BY_ONE, now, most)}`
}

/** Without it the planner may read all that waits at once, instead of the first of each lane. */
const ONE_BY_ONE = sql`offset 0`

function clinicsOf(lanes: Statement, lookUp: Statement, now: Date, most: number): Statement {
  const waits = sql`d.clinic_id = lane.clinic_id and d.subscription_id = lane.subscription_id and d.status = 'pending'
    and (d.lease_until is null or d.lease_until <= ${now})`
  return sql`select distinct lane.clinic_id from ${lanes}
    where not lane.is_stopped and (lane.has_urgent or (lane.probe_at is null or lane.probe_at <= ${now}) and (
      exists (select from delivery d where ${waits} and d.due_at <= ${now} ${lookUp})
      or lane.recovered_at is not null and exists (select from delivery d
        where ${waits} and coalesce(d.last_attempt_at, d.created_at) < lane.recovered_at ${lookUp})))
    limit ${most}`
}
