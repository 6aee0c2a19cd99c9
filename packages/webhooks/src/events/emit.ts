// Stores changes as events, with a delivery for every subscription that wants them, in the transaction of the change (docs/decisions/0009).
import type { Clinic, EventType } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { deliveryId } from '../deliveries/delivery-id.ts'
import { eventBody } from './event-body.ts'
import { takePlaces } from './event-counter.ts'
import { recordOf } from './record-of.ts'

/** One change of a resource. */
export interface Change {
  readonly type: EventType
  /** The resource as JSON, with the bytes of the contract's serializer. */
  readonly data: string
}

type StoredEvent = { id: string; type: EventType; body: string; record_id: string | null }

/**
 * Call this once, as the last step of a transaction: other events of the clinic wait until the commit. The rows leave together with it.
 *
 * `data` is stored once within the envelope's exact bytes and sent unchanged on every attempt. In the order of the feed, the times
 * of a clinic's events never go back, even if the clock does.
 *
 * @param now the clock's time, by which deliveries are due.
 * @param at the time of the changes.
 * @returns the latest time of any change of the clinic, including these.
 */
export async function emit(
  tx: Transaction,
  clinic: Clinic,
  changes: readonly Change[],
  now: Date,
  at: Date = now,
): Promise<Date> {
  if (changes.length === 0) return at
  const latest = await takePlaces(tx, clinic, changes.length, at)
  sendEvents(tx, clinic, changes, now, latest)
  return latest
}

/**
 * Stores the events of changes whose places are taken, with the transaction's next statement.
 *
 * @param latest the answer of `takePlaces`.
 * @returns how many deliveries they have, once the statement is answered.
 */
export function sendEvents(
  tx: Transaction,
  clinic: Clinic,
  changes: readonly Change[],
  now: Date,
  latest: Date,
): () => number {
  const events = changes.map(({ type, data }): StoredEvent => {
    const id = newId('evt', latest)
    return { id, type, body: eventBody({ id, type, data }, clinic, latest), record_id: recordOf(data) }
  })
  const deliveries = tx.send(deliveriesOf(clinic, events, latest, now))
  tx.send(eventsOf(clinic, events, latest))
  return () => deliveries().rowCount
}

function deliveriesOf({ clinic_id }: Clinic, events: readonly StoredEvent[], at: Date, now: Date): Statement {
  // The schedule begins with the event, unless the event has another time.
  const scheduled_from = at.getTime() === now.getTime() ? null : now
  return sql`insert into delivery
      (clinic_id, subscription_id, id, event_id, event_type, due_at, created_at, scheduled_from)
    select subscription.clinic_id, subscription.id, ${deliveryId(sql`input.id`, sql`subscription.id`)}, input.id, input.type,
      ${now}, ${at}, ${scheduled_from}::timestamptz
    from subscription cross join ${sql.input(events, { text: ['id', 'type'] })}
    where subscription.clinic_id = ${clinic_id} and subscription.enabled
      and (subscription.event_types = '{}' or input.type = any(subscription.event_types))`
}

/**
 * Stores the events at their reserved places. Citus accepts rows from arrays only beside a row of the clinic's own. A body is JSON
 * on one line, so the bodies go as lines: an array would escape each quote.
 */
function eventsOf({ clinic_id }: Clinic, events: readonly StoredEvent[], at: Date): Statement {
  const [ids, types] = [events.map(({ id }) => id), events.map(({ type }) => type)]
  const records = events.map(({ record_id }) => record_id)
  const bodies = events.map(({ body }) => body).join('\n')
  return sql`insert into event (clinic_id, id, position, type, record_id, body, created_at)
    select counter.clinic_id, input.id, counter.last_position - ${events.length}::bigint + input.number, input.type,
      input.record_id, input.body, ${at}
    from event_counter counter
      cross join unnest(${ids}::text[], ${types}::text[], ${records}::text[],
        string_to_array(${bodies}, E'\\n')) with ordinality
        as input (id, type, record_id, body, number)
    where counter.clinic_id = ${clinic_id}`
}
