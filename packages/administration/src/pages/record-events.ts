// The events of one record, and for each webhook its delivery, or why it got none.
import {
  RECORD_EVENTS,
  type RecordEvent,
  type RecordEventsQuery,
} from '@clinic-data/console-contract/webhook-operations'
import type { EventType } from '@clinic-data/contract'
import { patientsOf } from '@clinic-data/contract/patients-of'
import type { Static } from '@clinic-data/contract/schema'
import { type ClinicDatabase, instant, sql, type Transaction } from '@clinic-data/database'
import { deliveryColumns } from '@clinic-data/webhooks/deliveries/delivery'
import { eventKey } from '@clinic-data/webhooks/deliveries/delivery-id'
import { type Settings, whyMissed } from '@clinic-data/webhooks/deliveries/missed'
import type { FormerSubscription } from '@clinic-data/webhooks/subscriptions/former-subscription'
import type { ActiveSession } from '../sessions/sessions.ts'
import { renderShown, type ShownRow } from './shown-delivery.ts'

type Search = Static<typeof RecordEventsQuery> & {
  now: Date
  /** Adds the audit row. */
  beside: (tx: Transaction, ids: readonly string[], patient_ids: readonly string[]) => void
}

interface EventRow {
  id: string
  type: EventType
  created_at: string
  body: string
}

type Subscription = Omit<Settings, 'former'> & { id: string }

/** Whose record it is, and who looked, is put on record in the same transaction. */
export async function recordEvents(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  { record_id, cursor, now, beside }: Search,
): Promise<{ data: RecordEvent[]; meta: { next_cursor: string | null } }> {
  const { clinic_id } = clinic
  return consoleDatabase.write(clinic, async (tx) => {
    const { rows } = await tx.query<EventRow>(eventsOf(clinic_id, record_id, cursor))
    const events = rows.slice(0, RECORD_EVENTS)
    const patient_ids = patientsOf(
      'event',
      events.map(({ body }) => JSON.parse(body)),
    )
    const ids = events.map(({ id }) => id)
    beside(tx, [record_id, ...ids], patient_ids)
    const subscriptions = await subscriptionsOf(tx, clinic_id)
    const deliveries = await deliveriesOf(tx, clinic_id, events, now)
    return {
      data: events.map(({ id, type, created_at }) => ({
        id,
        type,
        created_at: instant(created_at) ?? created_at,
        webhooks: subscriptions.map((one) => {
          const delivery = deliveries.get(`${id} ${one.id}`) ?? null
          return {
            webhook_id: one.id,
            delivery: delivery && renderShown(delivery),
            missed: delivery === null ? missedOf({ type, created_at }, one) : null,
          }
        }),
      })),
      meta: { next_cursor: rows.length > RECORD_EVENTS ? (ids.at(-1) ?? null) : null },
    }
  })
}

/** One more than a page shows. Events of versions that did not keep their record are not found. */
function eventsOf(clinic_id: string, record_id: string, cursor: string | undefined) {
  const after = cursor === undefined ? null : eventKey(cursor)
  const passed =
    after === null ? sql`true` : sql`(e.created_at, e.id) < (${after.created_at}::timestamptz, ${after.event_id})`
  return sql`select e.id, e.type, e.created_at, e.body from event e
    where e.clinic_id = ${clinic_id} and e.record_id = ${record_id} and ${passed}
    order by e.created_at desc, e.id desc limit ${RECORD_EVENTS + 1}`
}

const settings = sql`event_types, enabled, is_paused, disabled_at, stopped_at`

/** With what each was before. The first made first. */
async function subscriptionsOf(tx: Transaction, clinic_id: string): Promise<(Settings & { id: string })[]> {
  const former = tx.send<FormerSubscription>(sql`select subscription_id, until, ${settings} from former_subscription
    where clinic_id = ${clinic_id} order by subscription_id, until`)
  const { rows } = await tx.query<Subscription>(sql`select id, created_at, kept_since, ${settings} from subscription
    where clinic_id = ${clinic_id} order by created_at, id`)
  const bySubscription = Map.groupBy(former().rows, ({ subscription_id }) => subscription_id)
  return rows.map((row) => ({ ...row, former: bySubscription.get(row.id) ?? [] }))
}

/** By the ids of event and subscription. Those of a deleted subscription are not shown, though some of its rows still exist. */
async function deliveriesOf(
  tx: Transaction,
  clinic_id: string,
  events: readonly EventRow[],
  now: Date,
): Promise<Map<string, ShownRow>> {
  if (events.length === 0) return new Map()
  const ids = events.map(({ id }) => id)
  const { rows } = await tx.query<ShownRow>(sql`select ${deliveryColumns({ clinic_id }, now)}, d.is_test
    from subscription s join delivery d on d.clinic_id = ${clinic_id} and d.subscription_id = s.id
      and d.created_at = any(${events.map(({ created_at }) => created_at)}::timestamptz[]) and d.event_id = any(${ids}::text[])
    where s.clinic_id = ${clinic_id}`)
  return new Map(rows.map((row) => [`${row.event_id} ${row.subscription_id}`, row]))
}

function missedOf(
  event: Pick<EventRow, 'type' | 'created_at'>,
  of: Settings,
): RecordEvent['webhooks'][number]['missed'] {
  const { reason, since, until } = whyMissed(event, of)
  return { reason, since: instantOf(since), until: instantOf(until) }
}

const instantOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
