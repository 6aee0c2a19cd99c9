// How the subscriptions of a clinic do: their circuits, and the attempts and deliveries of the last 24 hours. One statement,
// whose cost depends on the number of subscriptions alone.
import type { Clinic } from '@clinic-data/contract'
import { COUNTED_DELIVERIES, MAX } from '@clinic-data/contract'
import { type ClinicDatabase, instant, sql } from '@clinic-data/database'
import { firstHour, SHOWN_HOURS } from './attempt-hours.ts'
import { shownCircuit } from './shown-circuit.ts'

interface HourRow {
  /** Counted from the first one that is shown. */
  number: number
  delivered: number
  failed: number
  failed_at: string | null
  response_status: number | null
  error: string | null
}

interface DeliverySums {
  readonly arrived: number
  readonly failed: number
  readonly waiting: number
}

interface HealthRow {
  id: string
  integration: { id: string; name: string } | null
  deliveries: DeliverySums
  disabled_at: string | null
  is_paused: boolean
  made_by: string | null
  last_success_at: string | null
  failing_since: string | null
  opened_at: string | null
  probe_at: string | null
  hours: HourRow[] | null
}

export interface SubscriptionHealth {
  readonly id: string
  /** Null: the version before made it, and no list has been read since. */
  readonly integration: { id: string; name: string } | null
  readonly disabled_at: string | null
  /** Disabled by a request. */
  readonly is_paused: boolean
  /** The id of the key or the administrator. */
  readonly made_by: string | null
  readonly last_success_at: string | null
  /** The first failure since the last attempt that arrived. */
  readonly failing_since: string | null
  /** Since when the circuit is open. Null while it is closed. */
  readonly opened_at: string | null
  /** When the next delivery may test the address. Null once one may at any moment. */
  readonly probe_at: string | null
  /** The beginning of the first hour. */
  readonly since: string
  /** The sums of the events since then, the latest `COUNTED_DELIVERIES` at most: each delivery once. */
  readonly deliveries: DeliverySums
  /** One number an hour, the running one last. */
  readonly delivered: readonly number[]
  readonly failed: readonly number[]
  readonly last_failure: { at: string; response_status: number | null; error: string } | null
}

/** Returns the health of each subscription, in the order in which they were made. Times are the clinic's. */
export async function subscriptionHealth(
  database: ClinicDatabase,
  clinic: Clinic,
  now: Date,
): Promise<SubscriptionHealth[]> {
  const { clinic_id } = clinic
  const since = firstHour(now)
  const rows = await database.read<HealthRow & { since: string }>(
    clinic,
    sql`select s.id, case when i.id is not null then json_build_object('id', i.id, 'name', i.name) end as integration,
      s.disabled_at, s.is_paused, s.made_by, ${since}::timestamptz as since, lane.last_success_at, lane.failing_since, lane.opened_at, lane.probe_at,
      (select json_agg(json_build_object('number', (extract(epoch from h.hour - ${since}::timestamptz) / 3600)::int, 'delivered', h.delivered,
          'failed', h.failed, 'failed_at', h.failed_at::text, 'response_status', h.response_status, 'error', h.error)
          order by h.hour)
        from attempt_hour h where h.clinic_id = ${clinic_id} and h.subscription_id = s.id
          and h.hour >= ${since} and h.hour <= ${now}) as hours,
      (select json_build_object('arrived', count(*) filter (where d.status = 'delivered'),
          'failed', count(*) filter (where d.status = 'failed' or d.status = 'pending' and d.error is not null),
          'waiting', count(*) filter (where d.status = 'pending' and d.error is null))
        from (select d.status, d.error from delivery d where d.clinic_id = ${clinic_id} and d.subscription_id = s.id
          and d.created_at >= ${since} order by d.created_at desc, d.event_id desc limit ${COUNTED_DELIVERIES}) d) as deliveries
    from subscription s left join lane on lane.clinic_id = ${clinic_id} and lane.subscription_id = s.id
      left join integration i on i.clinic_id = ${clinic_id} and i.id = s.integration_id
    where s.clinic_id = ${clinic_id} order by s.created_at, s.id limit ${MAX.subscriptions}`,
  )
  return rows.map(({ hours, since: first, ...row }) => {
    const shown = hours ?? []
    return {
      id: row.id,
      integration: row.integration,
      disabled_at: instant(row.disabled_at),
      is_paused: row.is_paused,
      made_by: row.made_by,
      last_success_at: instant(row.last_success_at),
      failing_since: instant(row.failing_since),
      opened_at: instant(row.opened_at),
      probe_at: shownCircuit(row, now).next_attempt_at,
      since: instant(first) ?? first,
      deliveries: row.deliveries,
      delivered: byHour(shown, 'delivered'),
      failed: byHour(shown, 'failed'),
      last_failure: lastFailure(shown),
    }
  })
}

function byHour(hours: readonly HourRow[], sum: 'delivered' | 'failed'): number[] {
  const numbers = Array<number>(SHOWN_HOURS).fill(0)
  for (const hour of hours) numbers[hour.number] = hour[sum]
  return numbers
}

function lastFailure(hours: readonly HourRow[]): SubscriptionHealth['last_failure'] {
  const failed = hours.findLast(({ error }) => error !== null)
  if (!failed?.error) return null
  return { at: instant(failed.failed_at) ?? '', response_status: failed.response_status, error: failed.error }
}
