// Keeps how a subscription was set, whenever that changes: it says why an event of that time made no delivery (docs/decisions/0112).
import type { EventType } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'

/** The latest so many are kept of each subscription: who switches one on and off all day fills no disk. */
export const MOST_FORMER = 100

/** As PostgreSQL prints it. */
export interface FormerSubscription {
  subscription_id: string
  until: string
  event_types: EventType[]
  enabled: boolean
  is_paused: boolean
  disabled_at: string | null
  stopped_at: string | null
}

/** Call this before the change, in its transaction. Two changes of one millisecond keep the setting that was there before both. */
export async function keepFormer(
  tx: Transaction,
  clinic_id: string,
  subscription_ids: readonly string[],
  now: Date,
): Promise<void> {
  const theirs = sql`clinic_id = ${clinic_id} and subscription_id = any(${subscription_ids}::text[])`
  tx.send(sql`insert into former_subscription
      (clinic_id, subscription_id, until, event_types, enabled, is_paused, disabled_at, stopped_at)
    select clinic_id, id, ${now}, event_types, enabled, is_paused, disabled_at, stopped_at from subscription
    where clinic_id = ${clinic_id} and id = any(${subscription_ids}::text[])
    on conflict do nothing`)
  await tx.query(sql`delete from former_subscription former where ${theirs} and until <= (
    select until from former_subscription other
    where other.clinic_id = ${clinic_id} and other.subscription_id = former.subscription_id
    order by until desc offset ${MOST_FORMER} limit 1)`)
}
