// Stores when providers work: their weekly hours, and the time they are off.

import type { Clinic } from '@clinic-data/contract'
import { Id, nullable, type Static, strictObject, text, whole } from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import { type ChildTable, replaceChildren } from './child-rows.ts'
import { type Finding, findingsIn, RecordedInstant } from './record-schema.ts'
import { columnsOf, type RecordTable, type Stored } from './record-table.ts'
import { storedOf, storeRows } from './store-rows.ts'

const time = (description: string) => text(5, { format: 'time-of-day', description })

/** A window of every week in the clinic's local time. A break is the gap between two windows of a day. */
export const WorkingHoursRecord = strictObject({
  provider_id: Id,
  branch_id: Id,
  weekday: whole(0, 6, { description: '0 is Sunday.' }),
  starts_at: time("`HH:MM`, the clinic's local time."),
  ends_at: time('`HH:MM`, after `starts_at`; a day ends at `24:00`. A break is the gap between two windows.'),
})
export type WorkingHoursRecord = Static<typeof WorkingHoursRecord>

export function checkWorkingHours(record: WorkingHoursRecord): Finding[] {
  const findings = findingsIn(WorkingHoursRecord, record)
  if (findings.length > 0 || record.ends_at > record.starts_at) return findings
  return [{ place: '/ends_at', code: 'reversed', detail: 'must be after starts_at' }]
}

const hours = columnsOf<WorkingHoursRecord>()

const workingHours: ChildTable<WorkingHoursRecord> = {
  rows: {
    name: 'working_hours',
    key: hours.fields('branch_id', 'provider_id', 'weekday', 'starts_at'),
    columns: hours.fields('ends_at'),
  },
  parent: 'provider_id',
  compared: ['branch_id', 'provider_id', 'weekday', 'starts_at', 'ends_at'],
}

/**
 * The whole week of each provider that the records name: windows that they leave out are gone.
 *
 * @returns The providers whose weeks were not as given.
 */
export async function storeWorkingHours(
  tx: Transaction,
  clinic: Clinic,
  records: readonly WorkingHoursRecord[],
): Promise<Stored> {
  const weeks = Map.groupBy(records.map(withSeconds), (record) => record.provider_id)
  const changed = await replaceChildren(tx, clinic, workingHours, weeks)
  return { inserted: new Set(), updated: changed, unchanged: weeks.size - changed.size }
}

/** As PostgreSQL prints a time, so that a stored window is recognized. */
function withSeconds(record: WorkingHoursRecord): WorkingHoursRecord {
  return { ...record, starts_at: `${record.starts_at}:00`, ends_at: `${record.ends_at}:00` }
}

/** Of one provider, or of everyone at a branch, or (neither named) of the whole clinic. */
export const TimeOffRecord = strictObject({
  id: Id,
  provider_id: nullable(Id, { description: 'Who is off; null for everyone at the branch.' }),
  branch_id: nullable(Id, { description: 'Where; null, with no provider either, for the whole clinic.' }),
  start: RecordedInstant,
  end: RecordedInstant,
})
export type TimeOffRecord = Static<typeof TimeOffRecord>

export function checkTimeOff(record: TimeOffRecord): Finding[] {
  const findings = findingsIn(TimeOffRecord, record)
  if (findings.length > 0 || Date.parse(record.end) > Date.parse(record.start)) return findings
  return [{ place: '/end', code: 'reversed', detail: 'must be after start' }]
}

const off = columnsOf<TimeOffRecord>()

const timeOff: RecordTable<TimeOffRecord> = {
  name: 'time_off',
  key: off.fields('id'),
  columns: off.fields('provider_id', 'branch_id', 'start', 'end'),
}

export async function storeTimeOff(
  tx: Transaction,
  clinic: Clinic,
  records: readonly TimeOffRecord[],
): Promise<Stored> {
  return storedOf(records, await storeRows(tx, clinic, timeOff, records))
}
