// A lead's columns, and its rendering as the contract's resources: what a submission is answered with, and what is read.
import type { Clinic } from '@clinic-data/contract'
import type { Lead, LeadDetailed } from '@clinic-data/contract/resources/lead'
import type { Static } from '@clinic-data/contract/schema'
import { type Statement, sql } from '@clinic-data/database'
import { type RowOf, resourceTable } from './resource-table.ts'

/** These fields are stored as records give them, and shown unchanged. */
export const leadFields = ['first_name', 'last_name', 'phone', 'email', 'source', 'status'] as const

export const leadResource = resourceTable<Static<typeof Lead>>()({
  relation: 'lead',
  stored: ['id', ...leadFields, 'attribution'],
  instants: ['created_at'],
  made: {},
})
export type LeadRow = RowOf<typeof leadResource>

export const leadDetailedResource = resourceTable<Static<typeof LeadDetailed>, { latest_note: string | null }>()({
  relation: 'lead',
  stored: ['id', ...leadFields, 'attribution', 'external_id'],
  instants: ['created_at', 'updated_at'],
  seconds: ['converted_at'],
  made: {
    note: {
      columns: ({ clinic_id }) => sql`(select entry.note from lead_activity entry where entry.clinic_id = ${clinic_id}
        and entry.lead_id = lead.id and entry.kind in ('note', 'submission') and entry.note is not null
        order by entry.created_at desc, entry.id desc limit 1) as latest_note`,
      render: ({ latest_note }) => latest_note,
    },
  },
})

/** Selects the leads that match a condition on `lead`. */
export function leadsWhere(clinic: Clinic, condition: Statement): Statement {
  return sql`select ${leadDetailedResource.columns(clinic)} from lead where lead.clinic_id = ${clinic.clinic_id} and ${condition}`
}
