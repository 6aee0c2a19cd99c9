// Stores providers' working times: their weekly hours and their time off.

import type { Clinic } from '@clinic-data/contract'
import { GivenId, Id, list, nullable, type Static, strictObject, text, whole } from '@clinic-data/contract/schema'
import { sql, type Transaction } from '@clinic-data/database'
import { type ChildTable, replaceChildren } from './storing/child-rows.ts'
import { recordKind } from './storing/record-kind.ts'
import { type Finding, findingsIn, RecordedInstant } from './storing/record-schema.ts'
import { recordTable, type Stored, stored } from './storing/record-table.ts'
import { storedOf, storeRows, updatedOf } from './storing/store-rows.ts'

const time = (description: string) => text(5, { format: 'time-of-day', description })

/** A window of every week in the clinic's local time. A break is the gap between two windows of a day. */
const window = {
  branch_id: Id,
  weekday: whole(0, 6, { description: '0 is Sunday.' }),
  starts_at: time("`HH:MM`, the clinic's local time."),
  ends_at: time('`HH:MM`, after `starts_at`; a day ends at `24:00`. A break is the gap between two windows.'),
}

/** Two windows for every hour of every day. */
const MOST_WINDOWS = 2 * 24 * 7

/** All windows of one provider's week. */
export const ProviderWeekRecord = strictObject({
  provider_id: Id,
  windows: list(strictObject(window), MOST_WINDOWS, {
    description: 'The whole week, at every branch. Empty for a provider who does not work.',
  }),
})
export type ProviderWeekRecord = Static<typeof ProviderWeekRecord>

export function checkProviderWeek(record: ProviderWeekRecord): Finding[] {
  const findings = findingsIn(ProviderWeekRecord, record)
  if (findings.length > 0) return findings
  return [...record.windows.flatMap((one, at) => reversal(one, `/windows/${at}`)), ...overlaps(record)]
}

type Window = ProviderWeekRecord['windows'][number]
export type WorkingHoursRecord = Window & { provider_id: string }

function reversal({ starts_at, ends_at }: Window, place: string): Finding[] {
  if (ends_at > starts_at) return []
  return [{ place: `${place}/ends_at`, code: 'reversed', detail: 'must be after starts_at' }]
}

/** A provider cannot be in two places at once. */
function overlaps({ windows }: ProviderWeekRecord): Finding[] {
  const order = ({ weekday, starts_at }: Window) => `${weekday} ${starts_at}`
  const sorted = [...windows.entries()].sort(([, a], [, b]) => (order(a) < order(b) ? -1 : 1))
  return sorted.flatMap(([at, one], i) => {
    const before = sorted[i - 1]?.[1]
    if (before === undefined || before.weekday !== one.weekday || before.ends_at <= one.starts_at) return []
    return [{ place: `/windows/${at}`, code: 'overlap', detail: 'must not overlap another window of the provider' }]
  })
}

const workingHours: ChildTable<WorkingHoursRecord> = {
  rows: recordTable<WorkingHoursRecord>()({
    name: 'working_hours',
    fields: { branch_id: 'key', provider_id: 'key', weekday: 'key', starts_at: 'key', ends_at: 'stored' },
  }),
  parent: 'provider_id',
  compared: ['branch_id', 'provider_id', 'weekday', 'starts_at', 'ends_at'],
}

/** Replaces the whole week of each provider in the records. */
export async function storeWorkingHours(
  tx: Transaction,
  clinic: Clinic,
  records: readonly WorkingHoursRecord[],
): Promise<Stored> {
  const weeks = Map.groupBy(records, ({ provider_id }) => provider_id)
  return storeProviderWeeks(
    tx,
    clinic,
    [...weeks].map(([provider_id, windows]) => ({ provider_id, windows })),
  )
}

/**
 * Removes windows that a week leaves out.
 *
 * @returns the providers whose weeks have changed.
 */
export async function storeProviderWeeks(
  tx: Transaction,
  clinic: Clinic,
  records: readonly ProviderWeekRecord[],
): Promise<Stored> {
  const weeks = new Map(
    records.map(({ provider_id, windows }) => [
      provider_id,
      windows.map((one) => withSeconds({ ...one, provider_id })),
    ]),
  )
  // If two requests send one provider's week at once, the second one replaces all of the first.
  await tx.query(sql`select from provider where clinic_id = ${clinic.clinic_id} and id = any(${[...weeks.keys()]}::text[])
    order by id for no key update`)
  const changed = await replaceChildren(tx, clinic, workingHours, weeks)
  return { inserted: new Set(), updated: changed, unchanged: weeks.size - changed.size }
}

/** As PostgreSQL prints a time, so that a stored window is recognized. */
function withSeconds(record: WorkingHoursRecord): WorkingHoursRecord {
  return { ...record, starts_at: `${record.starts_at}:00`, ends_at: `${record.ends_at}:00` }
}

/** For one provider, for everyone at a branch, or (with neither) for the whole clinic. */
export const TimeOffRecord = strictObject({
  id: GivenId,
  provider_id: nullable(Id, { description: 'Who is off; null for everyone at the branch.' }),
  branch_id: nullable(Id, {
    description: 'The branch. Null: every branch; with no provider either, the whole clinic.',
  }),
  start: RecordedInstant,
  end: RecordedInstant,
})
export type TimeOffRecord = Static<typeof TimeOffRecord>

export function checkTimeOff(record: TimeOffRecord): Finding[] {
  const findings = findingsIn(TimeOffRecord, record)
  if (findings.length > 0 || Date.parse(record.end) > Date.parse(record.start)) return findings
  return [{ place: '/end', code: 'reversed', detail: 'must be after start' }]
}

const timeOff = recordTable<TimeOffRecord>()({
  name: 'time_off',
  fields: { id: 'key', ...stored(['provider_id', 'branch_id', 'start', 'end']) },
})

export async function storeTimeOff(
  tx: Transaction,
  clinic: Clinic,
  records: readonly TimeOffRecord[],
): Promise<Stored> {
  return storedOf(records, await storeRows(tx, clinic, timeOff, records))
}

/** A missing record is unchanged. */
export async function removeTimeOff(
  tx: Transaction,
  { clinic_id }: Clinic,
  removals: readonly { id: string }[],
): Promise<Stored> {
  const ids = removals.map(({ id }) => id)
  const { rows } = await tx.query<{ id: string }>(
    sql`delete from time_off where clinic_id = ${clinic_id} and id = any(${ids}::text[]) returning id`,
  )
  const updated = new Set(rows.map(({ id }) => id))
  return updatedOf(removals, updated)
}

export const providerWeekKind = recordKind<ProviderWeekRecord>({
  record: ProviderWeekRecord,
  table: 'working_hours',
  key: ['provider_id'],
  references: { provider_id: 'provider', 'windows.branch_id': 'branch' },
  lists: { windows: { table: 'working_hours', parent: 'provider_id' } },
  check: checkProviderWeek,
  store: storeProviderWeeks,
})

export const timeOffKind = recordKind<TimeOffRecord>({
  record: TimeOffRecord,
  table: 'time_off',
  references: { provider_id: 'provider', branch_id: 'branch' },
  check: checkTimeOff,
  store: storeTimeOff,
})
