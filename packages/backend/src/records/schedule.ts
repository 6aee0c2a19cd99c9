// Stores when providers work: their weekly hours, and the time they are off.

import type { Clinic } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'
import { type Bounds, type Fault, faultsOf, id, instant, matching, nullable, whole } from './bounds.ts'
import { type ChildTable, replaceChildren } from './child-rows.ts'
import { columnsOf, type RecordTable, type Stored } from './record-table.ts'
import { storedOf, storeRows } from './store-rows.ts'

/** A window of every week in the clinic's local time. A break is the gap between two windows of a day. */
export type WorkingHoursRecord = {
  provider_id: string
  branch_id: string
  /** 0 is Sunday. */
  weekday: number
  /** `HH:MM`; a day ends at `24:00`. */
  starts_at: string
  ends_at: string
}

const time = matching(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'is no time of day as HH:MM')

const hoursBounds: Bounds<WorkingHoursRecord> = {
  provider_id: id,
  branch_id: id,
  weekday: whole(0, 6),
  starts_at: time,
  ends_at: time,
}

export function checkWorkingHours(record: WorkingHoursRecord): Fault[] {
  const faults = faultsOf(hoursBounds, record)
  if (faults.length > 0 || record.ends_at > record.starts_at) return faults
  return [{ field: 'ends_at', reason: 'is not after starts_at' }]
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
export type TimeOffRecord = {
  id: string
  provider_id: string | null
  branch_id: string | null
  start: string
  end: string
}

const timeOffBounds: Bounds<TimeOffRecord> = {
  id,
  provider_id: nullable(id),
  branch_id: nullable(id),
  start: instant,
  end: instant,
}

export function checkTimeOff(record: TimeOffRecord): Fault[] {
  const faults = faultsOf(timeOffBounds, record)
  if (faults.length > 0 || Date.parse(record.end) > Date.parse(record.start)) return faults
  return [{ field: 'end', reason: 'is not after the start' }]
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
