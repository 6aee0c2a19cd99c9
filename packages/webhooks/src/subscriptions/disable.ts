// Disables a subscription that keeps failing. This is final (specification, Webhook subscription): its waiting deliveries fail with
// it.
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { disabledReasons, mustDisable } from './circuit.ts'
import { keepFormer } from './former-subscription.ts'
import type { StoredLane } from './lane.ts'

/** @returns the subscriptions that are now disabled. */
export async function disableFailing(
  tx: Transaction,
  clinic_id: string,
  lanes: readonly StoredLane[],
  now: Date,
): Promise<string[]> {
  const disabled: string[] = []
  for (const { subscription_id, circuit } of lanes) {
    const reason = mustDisable(circuit, now)
    if (reason === null) continue
    await keepFormer(tx, clinic_id, [subscription_id], now)
    await tx.query(sql`update subscription
      set enabled = false, disabled_at = ${now}, disabled_reason = ${disabledReasons[reason]}
      where clinic_id = ${clinic_id} and id = ${subscription_id} and enabled`)
    await failDisabled(tx, sql`d.clinic_id = ${clinic_id} and d.subscription_id = ${subscription_id}`)
    // Without its lane nothing is claimed, and deliveries that are emitted at this very moment are found by the missing lane.
    await tx.query(sql`delete from lane where clinic_id = ${clinic_id} and subscription_id = ${subscription_id}`)
    disabled.push(subscription_id)
  }
  return disabled
}

/**
 * Fails the waiting deliveries of disabled subscriptions. One that had arrived and waits to be sent again is delivered still.
 * `where` is a condition on the relation `d`.
 */
export async function failDisabled(tx: Transaction, where: Statement): Promise<void> {
  await tx.query(sql`update delivery d
    set status = case when d.manual_from = 'delivered' then 'delivered' else 'failed' end,
      error = case when d.manual_from = 'delivered' then d.error else 'subscription_disabled' end, due_at = null,
      lease_id = null, lease_until = null, manual_from = null, scheduled_at = null
    where d.status = 'pending' and ${where}`)
}
