// Stores the entries of leads' timelines.

import type { Clinic } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import type { Transaction } from '@clinic-data/database'
import { recordTable, stored } from './storing/record-table.ts'
import { sendRows } from './storing/store-rows.ts'

export interface LeadActivity {
  lead_id: string
  kind: 'note' | 'submission' | 'status'
  note: string | null
  /** The id of a submission that joined the lead, and all that was sent. */
  external_id?: string | null
  submission?: object | null
}

type Stored = Required<LeadActivity> & { id: string; created_at: string }

const activityTable = recordTable<Stored>()({
  name: 'lead_activity',
  fields: { id: 'key', ...stored(['lead_id', 'kind', 'note', 'external_id', 'created_at']), submission: 'json' },
})

/** Sends them with the transaction's next statement. */
export function addLeadActivities(
  tx: Transaction,
  clinic: Clinic,
  activities: readonly LeadActivity[],
  now: Date,
): void {
  const created_at = now.toISOString()
  const records = activities.map((activity): Stored => {
    return { external_id: null, submission: null, ...activity, id: newId('act', now), created_at }
  })
  sendRows(tx, clinic, activityTable, records)
}
