// The staff's notes on calls: stores added, edited and removed ones and emits their events.
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import type { EndedCallRecord } from '@clinic-data/records/calls'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'
import { callChanges, callChangesOf, changing } from './known-calls.ts'
import type { Changed } from './writing/write-changes.ts'

export type CallNote = Pick<EndedCallRecord, 'id' | 'note'>

/**
 * Stores notes. Each changed one is a `call.updated`.
 *
 * @throws RefusedRows when a call is unknown.
 */
export async function changeCallNotes(
  tx: Transaction,
  clinic: Clinic,
  reports: readonly CallNote[],
  now: Date,
): Promise<Changed<Stored>> {
  const known = await callChanges.locked(tx, clinic, reports)
  const changed = changing(reports, known, ({ note }, call) => (note === call.note ? 'repeats' : 'changes'))
  if (changed.length > 0) {
    await tx.query(sql`
      update call as stored set note = input.note, updated_at = ${risenUpdatedAt(now)}
      from ${sql.input(changed, { text: ['id', 'note'] })}
      where stored.clinic_id = ${clinic.clinic_id} and stored.id = input.id`)
  }
  return callChangesOf(tx, clinic, { reports, changed, type: () => 'call.updated' })
}
