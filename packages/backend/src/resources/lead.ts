// Lead: its columns, and the row as the contract's resource.
import type { Lead, leadSources, leadStatuses } from '@clinic-data/contract/resources/lead'
import type { Static } from '@clinic-data/contract/schema'
import { instant, sql } from '@clinic-data/database'

export interface LeadRow {
  id: string
  first_name: string
  last_name: string | null
  phone: string | null
  email: string | null
  source: (typeof leadSources)[number]
  status: (typeof leadStatuses)[number]
  attribution: Static<typeof Lead>['attribution']
  created_at: string
}

/** Of the relation `lead`. */
export const leadColumns = sql`lead.id, lead.first_name, lead.last_name, lead.phone, lead.email, lead.source, lead.status,
  lead.attribution, lead.created_at`

export function renderLead(row: LeadRow): Static<typeof Lead> {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    phone: row.phone,
    email: row.email,
    source: row.source,
    status: row.status,
    attribution: row.attribution,
    created_at: instant(row.created_at),
  }
}
