// Ended calls, as the exchange reports them: stores them and emits completed events.
import type { Clinic } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'
import { type EndedCallRecord, storeEndedCalls } from '@clinic-data/records/calls'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { callChanges, type KnownCall } from './known-calls.ts'
import { type RefusedRow, RefusedRows } from './writing/refused-rows.ts'
import type { Changed } from './writing/write-changes.ts'

/** The note belongs to the staff: a report without it leaves it as it is. */
export type CallReport = Omit<EndedCallRecord, 'note'> & Partial<Pick<EndedCallRecord, 'note'>>

/**
 * Stores ended calls, with at most one event each:
 *
 * - the first report of a call: `call.completed`, with or without a note
 * - a later one with another note: `call.updated`
 * - a later one that corrects anything else: none. The specification's table has no event for it, so only `updated_at` shows it
 * (`updated_since`), and the call's next event contains it.
 *
 * The recording and the transcript of a stored call stay as they are.
 *
 * @throws RefusedRows when a correction takes the talk from a call that has a transcript.
 */
export function changeCalls(tx: Transaction, clinic: Clinic, reports: readonly CallReport[]): Promise<Changed<Stored>> {
  return callChanges.change(tx, clinic, reports, {
    store: (known) => {
      refuseSilenced(reports, known)
      const records = reports.map((report) => completed(report, known.get(report.id)))
      return storeEndedCalls(tx, clinic, records)
    },
    type: ({ note }, isNew, before) => {
      if (isNew) return 'call.completed'
      return note === undefined || note === before?.note ? null : 'call.updated'
    },
  })
}

function completed(report: CallReport, before: KnownCall | undefined): EndedCallRecord {
  const { note = before?.note ?? null } = report
  // A call with a recording was recorded.
  const is_recorded = report.is_recorded || (before?.recording_file_id ?? null) !== null
  return { ...report, note, is_recorded }
}

/** Calls never answered are never transcribed (specification, Call lifecycle). */
function refuseSilenced(reports: readonly CallReport[], known: ReadonlyMap<string, KnownCall>): void {
  const refused = reports.flatMap(({ id, status, duration_seconds }, index): RefusedRow[] => {
    const hasTranscript = (known.get(id)?.transcript_status ?? null) !== null
    if (!hasTranscript || (status === 'answered' && duration_seconds > 0)) return []
    const place = status === 'answered' ? '/duration_seconds' : '/status'
    return [{ index, place, code: 'transcribed', detail: 'must be of an answered call with talk: it has a transcript' }]
  })
  if (refused.length > 0) throw new RefusedRows(refused)
}
