// Ends subscriptions whose maker is gone. This is final, and their waiting deliveries fail with them.
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { failDisabled } from './disable.ts'
import { keepFormer } from './former-subscription.ts'

/** @param which a condition on `subscription`. */
export async function endSubscriptions(
  tx: Transaction,
  clinic_id: string,
  { which, reason, now }: { which: Statement; reason: string; now: Date },
): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    sql`select id from subscription where clinic_id = ${clinic_id} and (enabled or is_paused) and ${which} order by id`,
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  // The lanes first, like everywhere else. They are not locked before: on a cluster the console's login may not do that.
  await tx.query(sql`delete from lane where clinic_id = ${clinic_id} and subscription_id = any(${ids}::text[])`)
  await keepFormer(tx, clinic_id, ids, now)
  await tx.query(sql`update subscription
    set enabled = false, is_paused = false, disabled_at = coalesce(disabled_at, ${now}), disabled_reason = ${reason}
    where clinic_id = ${clinic_id} and id = any(${ids}::text[])`)
  await failDisabled(tx, sql`d.clinic_id = ${clinic_id} and d.subscription_id = any(${ids}::text[])`)
}
