// Deliveries that were emitted while their subscription was being disabled or deleted, a moment too late to be ended with it. An
// active subscription has a lane. Without one these deliveries would wait for ever.
import { type Database, sql, utcSession } from '@clinic-data/database'
import { failDisabled } from '../subscriptions/disable.ts'
import { MOST_CLINICS } from './engine-limits.ts'

/** The clinics that have stray deliveries. */
export async function clinicsWithStrays(database: Database): Promise<string[]> {
  const clinics = await database.readAsDispatcher<{ clinic_id: string }>(sql`
    select distinct d.clinic_id from delivery d
    where d.status = 'pending' and not exists (select from lane
      where lane.clinic_id = d.clinic_id and lane.subscription_id = d.subscription_id)
    limit ${MOST_CLINICS}`)
  return clinics.map(({ clinic_id }) => clinic_id)
}

/** Fails the strays of disabled subscriptions and deletes those of deleted ones. */
export async function endStrays(database: Database, clinic_id: string): Promise<void> {
  const ofSubscription = sql`subscription.clinic_id = ${clinic_id} and subscription.id = d.subscription_id`
  await database.write(utcSession(clinic_id), async (tx) => {
    await failDisabled(
      tx,
      sql`d.clinic_id = ${clinic_id}
        and exists (select from subscription where ${ofSubscription} and not subscription.enabled)`,
    )
    await tx.query(sql`delete from delivery d where d.clinic_id = ${clinic_id} and d.status = 'pending'
      and not exists (select from subscription where ${ofSubscription})`)
  })
}
