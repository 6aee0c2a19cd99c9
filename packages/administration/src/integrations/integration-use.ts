// How much integrations did, from the sums of the audit log and of webhooks' attempts. No row of the log is read but those of the last minutes.
import { hoursBefore, type KeyUse, readKeyUse } from '@clinic-data/audit/audit-hours'
import type { IntegrationUse } from '@clinic-data/console-contract/integration-operations'
import { type ClinicDatabase, type ClinicSession, instant, sql } from '@clinic-data/database'
import type { KeyMember } from './members.ts'

/** Today is one of them. */
export const MONTH_DAYS = 30

export interface Uses {
  /** By the ids of keys and connections. A key may come several times. */
  readonly keys: ReadonlyMap<string, readonly KeyUse[]>
  readonly webhooks: ReadonlyMap<string, { delivered: number; failed: number }>
}

/** Since the beginning of the clinic's day, so many days before today. @param key_ids only of these keys. */
export async function readUses(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { now, days, key_ids }: { now: Date; days: number; key_ids?: readonly string[] },
): Promise<Uses> {
  const { clinic_id } = clinic
  const [day] = await database.read<{ at: string }>(
    clinic,
    sql`select (${now}::timestamptz::date - ${days - 1}::integer)::timestamptz as at`,
  )
  const since = new Date(instant(day?.at ?? '') ?? hoursBefore(now, 24 * days))
  const [keys, hours] = await Promise.all([
    readKeyUse(database, clinic, { since, step: 'day', countsPatients: true, hasDurations: false, key_ids }),
    database.read<{ id: string; delivered: number; failed: number }>(
      clinic,
      sql`select subscription_id as id, sum(delivered)::integer as delivered, sum(failed)::integer as failed
        from attempt_hour where clinic_id = ${clinic_id} and hour >= ${since} group by 1`,
    ),
  ])
  return {
    keys: Map.groupBy(keys, ({ key_id }) => key_id),
    webhooks: new Map(hours.map(({ id, ...sums }) => [id, sums])),
  }
}

export function patientsReadBy({ keys }: Uses, ids: readonly string[]): number {
  return sum(ids.flatMap((id) => keys.get(id) ?? []).map(({ patients }) => patients))
}

/** The use of these keys and webhooks together. */
export function useTogether(
  uses: Uses,
  keys: readonly KeyMember[],
  webhook_ids: readonly string[],
  usualRate: number,
): IntegrationUse {
  const all = keys.flatMap(({ id }) => uses.keys.get(id) ?? [])
  const attempts = webhook_ids.flatMap((id) => uses.webhooks.get(id) ?? [])
  const total = (name: 'requests' | 'refusals' | 'failures' | 'patients' | 'changes') =>
    sum(all.map((one) => one[name]))
  return {
    requests: total('requests'),
    refusals: total('refusals'),
    failures: total('failures'),
    patients_read: total('patients'),
    changes: total('changes'),
    delivered: sum(attempts.map(({ delivered }) => delivered)),
    failed_attempts: sum(attempts.map(({ failed }) => failed)),
    busiest: busiestOf(uses, keys, usualRate),
  }
}

function busiestOf(uses: Uses, keys: readonly KeyMember[], usualRate: number): IntegrationUse['busiest'] {
  const busy = keys.flatMap(({ id, name, rate_limit }) => {
    const requests = Math.max(0, ...(uses.keys.get(id) ?? []).map(({ busiest_minute }) => busiest_minute))
    return requests === 0 ? [] : [{ key: { id, name }, requests, rate_limit: rate_limit ?? usualRate }]
  })
  const [busiest = null] = busy.sort((a, b) => b.requests / b.rate_limit - a.requests / a.rate_limit)
  return busiest
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
