// Sends the events of a period to a subscription again, each with a new schedule.
import type { Clinic, EventType, Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { MOST_ATTEMPTS } from './delivery.ts'
import { deliveryId } from './delivery-id.ts'

export interface Replay {
  readonly subscription_id: string
  readonly since: Date
  readonly until: Date
  /** Null means all. */
  readonly event_types: readonly EventType[] | null
  /** Only the failed deliveries, or all events, including those that have no delivery for the subscription. */
  readonly only: 'failed' | 'all'
}

/** The maximum for one statement: each ends well within its time. */
const MOST_ROWS = 5_000

/** The maximum for one replay: it is answered within a few seconds, before its client gives up. */
export const MOST_REPLAYED = 50_000

/** The rows to send again, and the statement that sends those matching another condition. */
interface Source {
  readonly rows: Statement
  readonly created_at: Statement
  readonly event_id: Statement
  readonly where: Statement
  readonly renew: (where: Statement) => Statement
}

/** A place in the order of a source's rows, which is the order of their events. */
interface Place {
  created_at: string
  event_id: string
}

/**
 * Oldest first, in batches. Leaves out a delivery that is being attempted at this moment. Does not replay test events.
 *
 * @returns the number of events to send again.
 * @throws Problem when there are too many.
 */
export async function replayEvents(
  tx: Transaction,
  { clinic_id }: Clinic,
  replay: Replay,
  now: Date,
  most = MOST_REPLAYED,
): Promise<number> {
  const source = replay.only === 'failed' ? failedDeliveries(clinic_id, replay, now) : allEvents(clinic_id, replay, now)
  const { rows, created_at, event_id, where, renew } = source
  let matched = 0
  for (let rest = where; ; ) {
    const { rows: lasts } = await tx.query<Place>(sql`
      select created_at, event_id from (select ${created_at} as created_at, ${event_id} as event_id from ${rows}
        where ${rest} order by ${created_at}, ${event_id} limit ${MOST_ROWS}) batch
      order by created_at desc, event_id desc limit 1`)
    const [last] = lasts
    if (last === undefined) return matched
    // The first column has a condition of its own too, because that excludes partitions.
    const place = sql`(${last.created_at}, ${last.event_id})`
    const batch = sql`${rest} and ${created_at} <= ${last.created_at} and (${created_at}, ${event_id}) <= ${place}`
    matched += (await tx.query(renew(batch))).rowCount
    if (matched > most) throw tooMany(most)
    rest = sql`${where} and ${created_at} >= ${last.created_at} and (${created_at}, ${event_id}) > ${place}`
  }
}

function failedDeliveries(clinic_id: string, replay: Replay, now: Date): Source {
  return {
    rows: sql`delivery d`,
    created_at: sql`d.created_at`,
    event_id: sql`d.event_id`,
    where: sql`d.clinic_id = ${clinic_id} and d.subscription_id = ${replay.subscription_id} and d.status = 'failed'
      and ${within(sql`d.created_at`, sql`d.event_type`, replay)} and d.attempt_count < ${MOST_ATTEMPTS} and not d.is_test`,
    renew: (where) => sql`update delivery d set ${renewed(now)} where ${where}`,
  }
}

function allEvents(clinic_id: string, replay: Replay, now: Date): Source {
  const { subscription_id } = replay
  return {
    rows: sql`event`,
    created_at: sql`event.created_at`,
    event_id: sql`event.id`,
    where: sql`event.clinic_id = ${clinic_id} and ${within(sql`event.created_at`, sql`event.type`, replay)}
      and event.position is not null`,
    renew: (where) => sql`
      insert into delivery (clinic_id, subscription_id, id, event_id, event_type, due_at, created_at, scheduled_from)
      select event.clinic_id, ${subscription_id}, ${deliveryId(sql`event.id`, sql`${subscription_id}::text`)}, event.id,
        event.type, ${now}::timestamptz, event.created_at, ${now}::timestamptz
      from event where ${where} order by event.created_at, event.id
      on conflict (clinic_id, subscription_id, created_at, event_id) do update set ${renewed(now)}
      where (delivery.lease_until is null or delivery.lease_until <= ${now}) and delivery.attempt_count < ${MOST_ATTEMPTS}`,
  }
}

function within(created_at: Statement, type: Statement, { since, until, event_types }: Replay): Statement {
  const ofTypes = event_types === null ? sql.empty : sql` and ${type} = any(${event_types}::text[])`
  return sql`${created_at} >= ${since} and ${created_at} <= ${until}${ofTypes}`
}

/** The state of a delivery that is sent as if it were new. Its attempts stay. A former holder can no longer change it. */
function renewed(now: Date): Statement {
  return sql`status = 'pending', due_at = ${now}, scheduled_from = ${now}, automatic_count = 0, manual_from = null,
    scheduled_at = null, delivered_at = null, lease_id = null, lease_until = null`
}

function tooMany(most: number): Problem {
  const detail = `must leave at most ${most} events to send again: replay a shorter period, or fewer types`
  return faultProblem('unprocessable', [{ pointer: '#/since', code: 'too_many', detail }])
}
