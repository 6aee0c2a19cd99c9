// A delivery's id is its event's and its subscription's; the event's tells when it was made. So an id alone leads to the row,
// in the partition of its day.
import { timeOfId } from '@clinic-data/contract/new-id'
import { type Statement, sql } from '@clinic-data/database'

/** Of two expressions, the ids of an event and of a subscription. */
export function deliveryId(event_id: Statement, subscription_id: Statement): Statement {
  return sql`'dlv_' || substr(${event_id}, 5) || '_' || ${subscription_id}`
}

/** What a delivery's row is found by, beside its clinic and its subscription. */
export interface DeliveryKey {
  readonly event_id: string
  readonly created_at: Date
}

/** Null for what is no delivery of the subscription. */
export function deliveryKey(id: string, subscription_id: string): DeliveryKey | null {
  const end = `_${subscription_id}`
  if (!id.startsWith('dlv_') || !id.endsWith(end)) return null
  const event_id = `evt_${id.slice('dlv_'.length, -end.length)}`
  const created_at = timeOfId('evt', event_id)
  return created_at === null ? null : { event_id, created_at }
}
