// A manual retry of a delivery: due at once, regardless of its schedule and the circuit. If the attempt fails, the delivery is what
// it was: its schedule continues, or it has failed, or it has arrived.
import { type Clinic, Problem } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import { MOST_ATTEMPTS } from './delivery.ts'
import type { DeliveryKey } from './delivery-id.ts'

interface State {
  status: 'pending' | 'delivered' | 'failed'
  attempt_count: number
  manual_from: 'pending' | 'failed' | 'delivered' | null
  is_leased: boolean
}

/** Whether there is such a delivery. Locks it until the transaction ends. */
export async function lockDelivery(
  tx: Transaction,
  { clinic_id }: Clinic,
  subscription_id: string,
  { created_at, event_id }: DeliveryKey,
  now: Date,
): Promise<State | null> {
  const { rows } = await tx.query<State>(sql`
    select status, attempt_count, manual_from, lease_until is not null and lease_until > ${now} as is_leased
    from delivery where clinic_id = ${clinic_id} and subscription_id = ${subscription_id}
      and created_at = ${created_at} and event_id = ${event_id} for update`)
  return rows[0] ?? null
}

/** Makes a locked delivery due now. @throws Problem when it cannot be retried. */
export async function retryDelivery(
  tx: Transaction,
  { clinic_id }: Clinic,
  subscription_id: string,
  { created_at, event_id }: DeliveryKey,
  state: State,
  now: Date,
): Promise<void> {
  const refusal = refusalOf(state)
  if (refusal !== null) throw new Problem('conflict', refusal)
  // A delivery that was already requested keeps its original fallback.
  const fallback = state.manual_from === null ? sql`, manual_from = ${state.status}, scheduled_at = due_at` : sql.empty
  await tx.query(sql`
    update delivery set status = 'pending', due_at = ${now}, lease_id = null, lease_until = null${fallback}
    where clinic_id = ${clinic_id} and subscription_id = ${subscription_id} and created_at = ${created_at}
      and event_id = ${event_id}`)
}

function refusalOf({ attempt_count, is_leased }: State): string | null {
  if (is_leased) return 'The delivery is being attempted at this moment. Look at its outcome first.'
  if (attempt_count >= MOST_ATTEMPTS) return `The delivery was attempted ${attempt_count} times: it is not tried again.`
  return null
}
