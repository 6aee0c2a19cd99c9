// Fails deliveries whose time ends while they wait for an open circuit, even without an attempt.
import { type Database, sql, utcSession } from '@clinic-data/database'
import { afterExpiry } from '../subscriptions/circuit.ts'
import { disableFailing } from '../subscriptions/disable.ts'
import { lockLanes, storeLanes } from '../subscriptions/lane.ts'
import { HORIZON_MS } from './retry-schedule.ts'

/** The maximum for one transaction. The rest follows in the next one. */
const MOST_ROWS = 10_000

/** The clinics that have an open circuit. */
export async function clinicsInOutage(database: Database): Promise<string[]> {
  const clinics = await database.readAsDispatcher<{ clinic_id: string }>(sql`
    select distinct clinic_id from lane where opened_at is not null and not is_stopped`)
  return clinics.map(({ clinic_id }) => clinic_id)
}

/** @returns the number of failed deliveries. */
export function expireDeliveries(database: Database, clinic_id: string, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - HORIZON_MS)
  return database.write(utcSession(clinic_id), async (tx) => {
    // Behind a stopped integration what waits is failed when that is undone, which tells how much.
    const { rows: open } = await tx.query<{ subscription_id: string }>(sql`select subscription_id from lane
      where clinic_id = ${clinic_id} and opened_at is not null and not is_stopped order by subscription_id for update`)
    const ids = open.map(({ subscription_id }) => subscription_id)
    if (ids.length === 0) return 0
    const locked = lockLanes(tx, clinic_id, ids)
    const { rows } = await tx.query<{ subscription_id: string }>(sql`
      update delivery d set status = 'failed', due_at = null, error = 'circuit_open'
      from (select subscription_id, created_at, event_id from delivery
        where clinic_id = ${clinic_id} and subscription_id = any(${ids}::text[]) and status = 'pending'
          and coalesce(scheduled_from, created_at) < ${oldest} and manual_from is null
          and (lease_until is null or lease_until <= ${now})
        limit ${MOST_ROWS}) expired
      where d.clinic_id = ${clinic_id} and d.subscription_id = expired.subscription_id
        and d.created_at = expired.created_at and d.event_id = expired.event_id
      returning d.subscription_id`)
    const expired = Map.groupBy(rows, ({ subscription_id }) => subscription_id)
    const lanes = [...locked()].flatMap(([subscription_id, { circuit }]) => {
      const count = expired.get(subscription_id)?.length ?? 0
      return count === 0
        ? []
        : [{ subscription_id, circuit: afterExpiry(circuit, count), recovered_at: null, leases: null }]
    })
    storeLanes(tx, clinic_id, lanes)
    await disableFailing(tx, clinic_id, lanes, now)
    return rows.length
  })
}
