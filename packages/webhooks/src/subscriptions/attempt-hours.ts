// Sums of a subscription's attempts by hour. Reading them costs the same, however many attempts a clinic has (docs/decisions/0056).
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'

const HOUR_MS = 60 * 60 * 1000

/** How many hours are shown, with the one that runs. */
export const SHOWN_HOURS = 24

/** The longest period that is summed, and the day that has begun. */
const KEPT_HOURS = 31 * 24

export interface CountedAttempt {
  readonly subscription_id: string
  readonly started_at: Date
  readonly response_status: number | null
  /** Null for one that arrived. */
  readonly error: string | null
}

interface Sum {
  subscription_id: string
  hour: Date
  delivered: number
  failed: number
  failed_at: Date | null
  response_status: number | null
  error: string | null
}

/** The beginning of an instant's hour. */
export function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS)
}

/** The beginning of the first hour that is shown. */
export function firstHour(now: Date): Date {
  return new Date(hourOf(now).getTime() - (SHOWN_HOURS - 1) * HOUR_MS)
}

/** Adds attempts to their hours, with the transaction's next statement. Their lanes are locked: nobody else adds to these sums. */
export function addToHours(tx: Transaction, clinic_id: string, attempts: readonly CountedAttempt[]): void {
  if (attempts.length === 0) return
  const sums = new Map<string, Sum>()
  for (const attempt of attempts) {
    const hour = hourOf(attempt.started_at)
    const name = `${attempt.subscription_id} ${hour.getTime()}`
    sums.set(name, added(sums.get(name) ?? emptySum(attempt.subscription_id, hour), attempt))
  }
  const rows = sql.input([...sums.values()], {
    text: ['subscription_id', 'error'],
    timestamptz: ['hour', 'failed_at'],
    int: ['delivered', 'failed', 'response_status'],
  })
  tx.send(sql`
    insert into attempt_hour (clinic_id, subscription_id, hour, delivered, failed, failed_at, response_status, error)
    select lane.clinic_id, lane.subscription_id, input.hour, input.delivered, input.failed, input.failed_at,
      input.response_status, input.error
    from lane join ${rows} on input.subscription_id = lane.subscription_id
    where lane.clinic_id = ${clinic_id}
    on conflict (clinic_id, subscription_id, hour) do update set
      delivered = attempt_hour.delivered + excluded.delivered, failed = attempt_hour.failed + excluded.failed,
      failed_at = coalesce(excluded.failed_at, attempt_hour.failed_at),
      response_status = case when excluded.failed > 0 then excluded.response_status else attempt_hour.response_status end,
      error = coalesce(excluded.error, attempt_hour.error)`)
}

function emptySum(subscription_id: string, hour: Date): Sum {
  return { subscription_id, hour, delivered: 0, failed: 0, failed_at: null, response_status: null, error: null }
}

/** In the order of arrival: the last one that failed is told. */
function added(sum: Sum, { started_at, response_status, error }: CountedAttempt): Sum {
  if (error === null) return { ...sum, delivered: sum.delivered + 1 }
  return { ...sum, failed: sum.failed + 1, failed_at: started_at, response_status, error }
}

/** Removes the clinic's hours that are no longer summed. */
export async function forgetAttemptHours(
  tx: Transaction,
  { clinic_id }: Pick<Clinic, 'clinic_id'>,
  now: Date,
): Promise<void> {
  const oldest = new Date(hourOf(now).getTime() - KEPT_HOURS * HOUR_MS)
  await tx.query(sql`delete from attempt_hour where clinic_id = ${clinic_id} and hour < ${oldest}`)
}
