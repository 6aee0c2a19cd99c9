// Pauses a subscription on request, and enables it again. While it is paused it is as one that was disabled for its failures: new
// events make no deliveries, and those that wait fail (docs/decisions/0079).
import type { Clinic } from '@clinic-data/contract'
import type { Webhook } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import { sql, type Transaction } from '@clinic-data/database'
import { failDisabled } from './disable.ts'
import { keepFormer } from './former-subscription.ts'
import { renderSubscription, type SubscriptionRow, subscriptionColumns } from './subscription.ts'

const PAUSED = 'It was paused by a request.'

/** Its lane must be locked. One that Stop has paused stays paused when that is undone. */
export async function pauseSubscription(
  tx: Transaction,
  { clinic_id }: Pick<Clinic, 'clinic_id'>,
  id: string,
  now: Date,
  reason = PAUSED,
): Promise<Static<typeof Webhook>> {
  await keepFormer(tx, clinic_id, [id], now)
  const { rows } = await tx.query<SubscriptionRow>(sql`update subscription
    set enabled = false, is_paused = true, disabled_at = ${now}, disabled_reason = ${reason}, stopped_at = null
    where clinic_id = ${clinic_id} and id = ${id} returning ${subscriptionColumns}`)
  await failDisabled(tx, sql`d.clinic_id = ${clinic_id} and d.subscription_id = ${id}`)
  await tx.query(sql`delete from lane where clinic_id = ${clinic_id} and subscription_id = ${id}`)
  return renderSubscription(rows[0] as SubscriptionRow, null, now)
}

/** It begins with a closed circuit, as a new one. */
export async function resumeSubscription(tx: Transaction, { clinic_id }: Clinic, id: string, now: Date): Promise<void> {
  // An event that was emitted at the very moment of the pause has no lane yet and would be sent now.
  await failDisabled(tx, sql`d.clinic_id = ${clinic_id} and d.subscription_id = ${id}`)
  await keepFormer(tx, clinic_id, [id], now)
  await tx.query(sql`update subscription
    set enabled = true, is_paused = false, disabled_at = null, disabled_reason = null
    where clinic_id = ${clinic_id} and id = ${id} and is_paused`)
  await tx.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, ${id}) on conflict do nothing`)
}
