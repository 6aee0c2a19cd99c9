// A test event: the contract's example of a type, marked as a test and delivered to one subscription, even if it does not want the type. It
// has no place in the feed and is not replayed.
import { type Clinic, type EventType, events } from '@clinic-data/contract'
import { eventExample, eventResources } from '@clinic-data/contract/event-examples'
import { newId } from '@clinic-data/contract/new-id'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql, type Transaction } from '@clinic-data/database'
import { type DeliveryKey, deliveryId } from '../deliveries/delivery-id.ts'
import { eventBody } from './event-body.ts'

/** Stores the event and its delivery, due now. */
export async function storeTestEvent(
  tx: Transaction,
  clinic: Clinic,
  subscription_id: string,
  type: EventType,
  now: Date,
): Promise<DeliveryKey> {
  const { clinic_id } = clinic
  const id = newId('evt', now)
  const resource = eventResources[events[type].resource]
  const body = eventBody({ id, type, data: serializerOf(resource)(eventExample(type)) }, clinic, now, true)
  await tx.query(sql`insert into event (clinic_id, id, position, type, body, created_at)
    values (${clinic_id}, ${id}, null, ${type}, ${body}, ${now})`)
  await tx.query(sql`insert into delivery (clinic_id, subscription_id, id, event_id, event_type, is_test, due_at, created_at)
    select clinic_id, id, ${deliveryId(sql`${id}::text`, sql`id`)}, ${id}, ${type}, true, ${now}, ${now}
    from subscription where clinic_id = ${clinic_id} and id = ${subscription_id}`)
  return { event_id: id, created_at: now }
}
