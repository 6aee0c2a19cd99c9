// How much each key of a clinic is used: requests, errors, durations and the busiest minute, from the sums of the audit log.

import { hoursBefore, type KeyUse, noUse, percentile, readKeyUse } from '@clinic-data/audit/audit-hours'
import type { PERIODS, Usage } from '@clinic-data/console-contract/console-activity'
import { type ClinicDatabase, type ClinicSession, instant, type Statement, sql } from '@clinic-data/database'
import { findActors } from './actors.ts'

export interface AskedUsage {
  period: (typeof PERIODS)[number]
  /** Only the series of this key. */
  key_id?: string | undefined
}

interface UsageParts {
  /** Opened with the console's login. */
  consoleDatabase: ClinicDatabase
  /** A key without a limit of its own may send so many requests a minute. */
  usualRate: number
}

const HOURS = 24
const DAYS = { week: 7, month: 30 } as const

export async function readUsage(
  { consoleDatabase, usualRate }: UsageParts,
  clinic: ClinicSession,
  { period, key_id }: AskedUsage,
  now: Date,
): Promise<Usage> {
  const step = period === 'day' ? 'hour' : 'day'
  const slots = await consoleDatabase.read<{ at: string }>(
    clinic,
    period === 'day' ? hoursUntil(now) : daysUntil(now, DAYS[period]),
  )
  const since = new Date(instant(slots[0]?.at ?? '') ?? now)
  const uses = await readKeyUse(consoleDatabase, clinic, { since, step })
  const keys = [...Map.groupBy(uses, (use) => use.key_id)].map(([id, all]) => added(id, all))
  const ids = keys.map((use) => use.key_id)
  const [who, limits] = await Promise.all([
    findActors(consoleDatabase, clinic, ids),
    rateLimits(consoleDatabase, clinic, ids),
  ])
  const charted = key_id === undefined ? uses : uses.filter((use) => use.key_id === key_id)
  const bySlot = Map.groupBy(charted, ({ at }) => at)
  return {
    step,
    series: slots.map(({ at }) => ({ at: instant(at) ?? '', ...shown(added('', bySlot.get(at) ?? [])) })),
    keys: keys
      .sort((a, b) => b.requests - a.requests)
      .map((use) => ({
        who: who(use.key_id),
        ...shown(use),
        busiest_minute: use.busiest_minute,
        rate_limit: limits.has(use.key_id) ? (limits.get(use.key_id) ?? usualRate) : null,
      })),
  }
}

function hoursUntil(now: Date): Statement {
  return sql`select generate_series(${hoursBefore(now, HOURS - 1)}::timestamptz, ${hoursBefore(now, 0)}::timestamptz,
    interval '1 hour') as at`
}

/** The beginnings of the clinic's days, by whole numbers: a series of timestamps drifts where a clock changes at midnight. */
function daysUntil(now: Date, days: number): Statement {
  return sql`select (${now}::timestamptz::date - i)::timestamptz as at from generate_series(0, ${days - 1}::integer) i
    order by i desc`
}

function added(key_id: string, uses: readonly KeyUse[]): KeyUse {
  const all = noUse(key_id, '')
  for (const { requests, refusals, failures, durations, busiest_minute } of uses) {
    all.requests += requests
    all.refusals += refusals
    all.failures += failures
    all.durations = all.durations.map((count, place) => count + (durations[place] ?? 0))
    all.busiest_minute = Math.max(all.busiest_minute, busiest_minute)
  }
  return all
}

function shown({ requests, refusals, failures, durations }: KeyUse) {
  const [p50_ms, p99_ms] = [percentile(durations, 0.5), percentile(durations, 0.99)]
  return { requests, refusals, failures, p50_ms, p99_ms }
}

/** The keys' own limits. Null: the usual one. */
async function rateLimits(consoleDatabase: ClinicDatabase, clinic: ClinicSession, ids: readonly string[]) {
  const rows = await consoleDatabase.read<{ id: string; rate_limit: number | null }>(
    clinic,
    sql`select id, rate_limit from api_key where clinic_id = ${clinic.clinic_id} and id = any(${ids}::text[])`,
  )
  return new Map(rows.map(({ id, rate_limit }) => [id, rate_limit]))
}
