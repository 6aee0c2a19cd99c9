// The report of an import: counts by type of resource, and the files that could not be read.

import type { Stored } from '@clinic-data/records/storing/record-table'

/** The counts of one type of resource. A Claim may write several rows, or none. */
export type Tally = {
  read: number
  inserted: number
  updated: number
  unchanged: number
  /** The number of resources left out, by reason. */
  skipped: Record<string, number>
}

export type FailedFile = { path: string; fault: string }

export type ImportReport = {
  files: number
  /** Files from which nothing was imported. */
  failed: FailedFile[]
  resources: Record<string, Tally>
}

export function emptyTally(): Tally {
  return { read: 0, inserted: 0, updated: 0, unchanged: 0, skipped: {} }
}

export function tallyOf({ resources }: ImportReport, type: string): Tally {
  const tally = resources[type] ?? emptyTally()
  resources[type] = tally
  return tally
}

export function skip(tally: Tally, reason: string, times = 1): void {
  tally.skipped[reason] = (tally.skipped[reason] ?? 0) + times
}

const ERASED = 'erased in this clinic, so not stored again'

export function addStored(tally: Tally, { inserted, updated, erased, unchanged }: Stored): void {
  tally.inserted += inserted.size
  tally.updated += updated.size
  tally.unchanged += unchanged
  if (erased !== undefined && erased.size > 0) skip(tally, ERASED, erased.size)
}

export function addTally(tally: Tally, other: Tally): void {
  tally.read += other.read
  tally.inserted += other.inserted
  tally.updated += other.updated
  tally.unchanged += other.unchanged
  for (const [reason, times] of Object.entries(other.skipped)) skip(tally, reason, times)
}
