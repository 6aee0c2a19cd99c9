// A delivery's id is made of its event's id and its subscription's id. The event's id holds its creation time, so the delivery's id
// alone leads to the row in its day's partition.
import { timeOfId } from '@clinic-data/contract/new-id'
import { type Statement, sql } from '@clinic-data/database'

/** Joins two expressions, the ids of an event and of a subscription. */
export function deliveryId(event_id: Statement, subscription_id: Statement): Statement {
  return sql`'dlv_' || substr(${event_id}, 5) || '_' || ${subscription_id}`
}

/** The columns that find a delivery's row, besides its clinic and its subscription. */
export interface DeliveryKey {
  readonly event_id: string
  readonly created_at: Date
}

/** Null for what is no id of an event. */
export function eventKey(event_id: string): DeliveryKey | null {
  const created_at = timeOfId('evt', event_id)
  return created_at === null ? null : { event_id, created_at }
}

/** Null if the id does not belong to a delivery of the subscription. */
export function deliveryKey(id: string, subscription_id: string): DeliveryKey | null {
  const end = `_${subscription_id}`
  if (!id.startsWith('dlv_') || !id.endsWith(end)) return null
  return eventKey(`evt_${id.slice('dlv_'.length, -end.length)}`)
}
