// Ends a subscription that keeps failing; final (specification, Webhook subscription): what still waits has failed with it.
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { disabledReasons, mustDisable } from './circuit.ts'
import type { StoredLane } from './lane.ts'

/** @returns the subscriptions that are disabled now. */
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
    await tx.query(sql`update subscription
      set enabled = false, disabled_at = ${now}, disabled_reason = ${disabledReasons[reason]}
      where clinic_id = ${clinic_id} and id = ${subscription_id} and enabled`)
    await failDisabled(tx, sql`d.clinic_id = ${clinic_id} and d.subscription_id = ${subscription_id}`)
    // Nothing is claimed without it, and what is emitted at this very moment is found by its lack.
    await tx.query(sql`delete from lane where clinic_id = ${clinic_id} and subscription_id = ${subscription_id}`)
    disabled.push(subscription_id)
  }
  return disabled
}

/** What waits of disabled subscriptions, `where` of the relation `d`, has failed with them. */
export async function failDisabled(tx: Transaction, where: Statement): Promise<void> {
  await tx.query(sql`update delivery d
    set status = 'failed', due_at = null, error = 'subscription_disabled', lease_id = null, lease_until = null,
      manual_from = null, scheduled_at = null
    where d.status = 'pending' and ${where}`)
}
