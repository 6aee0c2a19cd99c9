// A delivery as the log shows it: one row for an event and a subscription, with its attempts inside.
import type { Clinic, EventType } from '@clinic-data/contract'
import type { Delivery, deliveryStatuses } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import { instant, type Statement, sql, type Transaction } from '@clinic-data/database'
import { isUrgent } from '../subscriptions/lane.ts'
import type { DeliveryKey } from './delivery-id.ts'

/**
 * A delivery with this many attempts can be neither retried by hand nor replayed. The log shows at most a thousand attempts, which
 * leaves room for a schedule that is under way.
 */
export const MOST_ATTEMPTS = 900

interface AttemptRow {
  number: number
  trigger: 'automatic' | 'manual'
  attempted_at: string
  duration_ms: number
  response_status: number | null
  error: string | null
}

export interface DeliveryRow {
  id: string
  subscription_id: string
  event_id: string
  event_type: EventType
  status: (typeof deliveryStatuses)[number]
  attempt_count: number
  created_at: string
  delivered_at: string | null
  last_attempt_at: string | null
  next_attempt_at: string | null
  response_status: number | null
  error: string | null
  attempts: AttemptRow[] | null
}

/**
 * Columns for the relation `d` (rows of `delivery`). The attempts lie in the partition of their delivery's day, and only that one
 * is searched.
 */
export function deliveryColumns({ clinic_id }: Pick<Clinic, 'clinic_id'>, now: Date): Statement {
  return sql`d.id, d.subscription_id, d.event_id, d.event_type, d.status, d.attempt_count, d.created_at, d.delivered_at,
    d.last_attempt_at, ${nextAttemptAt(clinic_id, now)} as next_attempt_at, d.response_status, d.error,
    (select json_agg(
        json_build_object('number', a.number, 'trigger', a.trigger, 'attempted_at', a.attempted_at::text,
          'duration_ms', a.duration_ms, 'response_status', a.response_status, 'error', a.error)
        order by a.number)
      from attempt a where a.clinic_id = ${clinic_id} and a.subscription_id = d.subscription_id
        and a.created_at = d.created_at and a.event_id = d.event_id) as attempts`
}

/**
 * When the next attempt is made: at its time, or with the next probe if the circuit is open, or at once if somebody requested it or
 * the endpoint has just recovered. An overdue delivery is attempted from now on, not in the past.
 */
function nextAttemptAt(clinic_id: string, now: Date): Statement {
  return sql`case when ${isUrgent} then ${now}::timestamptz when d.status = 'pending' then greatest(${now}::timestamptz,
    (select case when coalesce(d.last_attempt_at, d.created_at) < lane.recovered_at then null
        else greatest(d.due_at, lane.probe_at) end
      from lane where lane.clinic_id = ${clinic_id} and lane.subscription_id = d.subscription_id)) end`
}

export function renderDelivery(row: DeliveryRow): Static<typeof Delivery> {
  return {
    id: row.id,
    webhook_id: row.subscription_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempt_count: row.attempt_count,
    created_at: instant(row.created_at) ?? row.created_at,
    delivered_at: instant(row.delivered_at),
    last_attempt_at: instant(row.last_attempt_at),
    next_attempt_at: instant(row.next_attempt_at),
    response_status: row.response_status,
    error: row.error,
    attempts: (row.attempts ?? []).map((attempt) => ({
      ...attempt,
      attempted_at: instant(attempt.attempted_at) ?? attempt.attempted_at,
    })),
  }
}

/** Reads one delivery of a subscription. @throws if there is none. */
export async function deliveryOf(
  tx: Transaction,
  { clinic_id }: Clinic,
  subscription_id: string,
  { created_at, event_id }: DeliveryKey,
  now: Date,
): Promise<Static<typeof Delivery>> {
  const { rows } = await tx.query<DeliveryRow>(sql`
    select ${deliveryColumns({ clinic_id }, now)} from delivery d
    where d.clinic_id = ${clinic_id} and d.subscription_id = ${subscription_id} and d.created_at = ${created_at}
      and d.event_id = ${event_id}`)
  const [row] = rows
  if (row === undefined) throw new Error('a delivery that was stored cannot be read')
  return renderDelivery(row)
}
