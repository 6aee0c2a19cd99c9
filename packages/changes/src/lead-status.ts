// Changes of a lead's status, with an entry on its timeline. There is no event for leads.
import type { Clinic } from '@clinic-data/contract'
import type { leadStatuses } from '@clinic-data/contract/resources/lead'
import { sql, type Transaction } from '@clinic-data/database'
import { addLeadActivities } from '@clinic-data/records/lead-activities'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'
import { updatedOf } from '@clinic-data/records/storing/store-rows'
import { type RefusedRow, RefusedRows } from './writing/refused-rows.ts'
import { lockedRows } from './writing/resource-changes.ts'
import type { Changed } from './writing/write-changes.ts'

type LeadStatus = (typeof leadStatuses)[number]

type Lead = { id: string; status: LeadStatus }

export interface LeadStep {
  readonly id: string
  readonly status: LeadStatus
  /** When the person became a patient. Default for a converted lead: now. */
  readonly converted_at: string | null
}

/** An open lead may move between open statuses and end. A lost one can be reopened. A converted one is final. */
const next: Readonly<Record<LeadStatus, readonly LeadStatus[]>> = {
  new: ['in_progress', 'converted', 'lost'],
  in_progress: ['new', 'converted', 'lost'],
  lost: ['in_progress'],
  converted: [],
}

/**
 * Changes the status of existing leads. Leaves one that already has the status as it is. A reopened lead may be the second open one
 * of its person: a submission joins the newest.
 *
 * @throws RefusedRows when a lead's status cannot change to the given one.
 */
export async function changeLeadStatuses(
  tx: Transaction,
  clinic: Clinic,
  steps: readonly LeadStep[],
  now: Date,
): Promise<Changed<Stored>> {
  const before = await lockedRows<Lead>(tx, clinic, steps, { table: 'lead', columns: sql`status` })
  refuseWrongSteps(steps, before)
  const taken = steps.filter(({ id, status }) => before.get(id)?.status !== status)
  const rows = taken.map(({ id, status, converted_at }) => {
    return { id, status, converted_at: status === 'converted' ? (converted_at ?? now) : null }
  })
  const { clinic_id } = clinic
  await tx.query(sql`update lead as stored set status = input.status, converted_at = input.converted_at,
      updated_at = ${risenUpdatedAt(now)}
    from ${sql.input(rows, { text: ['id', 'status'], timestamptz: ['converted_at'] })}
    where stored.clinic_id = ${clinic_id} and stored.id = input.id`)
  const entries = taken.map(({ id, status }) => ({ lead_id: id, kind: 'status' as const, note: status }))
  addLeadActivities(tx, clinic, entries, now)
  return { answer: updatedOf(steps, new Set(taken.map(({ id }) => id))), changes: [] }
}

function refuseWrongSteps(steps: readonly LeadStep[], before: ReadonlyMap<string, Lead>): void {
  const refused = steps.flatMap(({ id, status, converted_at }, index): RefusedRow[] => {
    if (converted_at !== null && status !== 'converted') {
      return [
        { index, place: '/converted_at', code: 'not_allowed', detail: 'must be null: only a converted lead has it' },
      ]
    }
    const present = before.get(id)?.status
    if (present === undefined || present === status || next[present].includes(status)) return []
    const ways = next[present].join(' or ')
    const detail = ways === '' ? 'must stay converted' : `must be ${ways}: the lead is ${present}`
    return [{ index, place: '/status', code: 'not_allowed', detail }]
  })
  if (refused.length > 0) throw new RefusedRows(refused)
}
