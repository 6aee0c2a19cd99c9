// Stores leads: people who have asked and are not patients yet.

import { type Clinic, MAX } from '@clinic-data/contract'
import { leadSources, leadStatuses, Meta, SentAttribution } from '@clinic-data/contract/resources/lead'
import { choice, GivenId, nullable, type Static, strictObject, text } from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import { comparedLeadEmail, comparedLeadPhone } from './lead-contact.ts'
import { leadFields } from './resources/lead.ts'
import { recordKind } from './storing/record-kind.ts'
import { type Finding, findingsIn, RecordedAt, RecordedInstant } from './storing/record-schema.ts'
import { createdDate, derived, recordTable, type Stored, stored } from './storing/record-table.ts'
import { sendRows, storedOf, storeRows } from './storing/store-rows.ts'

export const LeadRecord = strictObject({
  id: GivenId,
  first_name: text(MAX.person_name, { minLength: 1 }),
  last_name: nullable(text(MAX.person_name)),
  phone: nullable(text(MAX.lead_phone), { description: 'Required unless `email` is given.' }),
  email: nullable(text(MAX.email), { description: 'Required unless `phone` is given.' }),
  source: choice(leadSources),
  status: choice(leadStatuses, { description: 'Open until `converted` or `lost`.' }),
  attribution: nullable(SentAttribution),
  meta: nullable(Meta),
  converted_at: nullable(RecordedInstant, { description: 'When the person became a patient.' }),
  ...RecordedAt,
})
export type LeadRecord = Static<typeof LeadRecord>

export function checkLead(record: LeadRecord): Finding[] {
  const findings = findingsIn(LeadRecord, record)
  if (findings.length > 0 || record.phone !== null || record.email !== null) return findings
  return [{ place: '', code: 'required', detail: 'must have at least one of phone, email' }]
}

const leadForms = {
  id: 'key',
  ...stored(leadFields),
  converted_at: 'stored',
  attribution: 'json',
  meta: 'json',
  created_at: 'once',
  updated_at: 'updated',
} as const

const leads = recordTable<LeadRecord>()({
  name: 'lead',
  fields: leadForms,
  more: [
    derived('phone_normal', ({ phone }, { country }) => comparedLeadPhone(phone, country)),
    derived('email_folded', ({ email }) => comparedLeadEmail(email)),
    ...createdDate,
  ],
})

export async function storeLeads(tx: Transaction, clinic: Clinic, records: readonly LeadRecord[]): Promise<Stored> {
  return storedOf(records, await storeRows(tx, clinic, leads, records))
}

/** A lead that is captured here, with the forms in which its contacts are compared. */
export type CapturedLead = LeadRecord & {
  external_id: string | null
  phone_normal: string | null
  email_folded: string | null
}

const capturedLeads = recordTable<CapturedLead>()({
  name: 'lead',
  fields: { ...leadForms, ...stored(['external_id', 'phone_normal', 'email_folded']) },
  more: createdDate,
})

/** Sends a new lead with the transaction's next statement. */
export function addLead(tx: Transaction, clinic: Clinic, lead: CapturedLead): void {
  sendRows(tx, clinic, capturedLeads, [lead])
}

export const leadKind = recordKind<LeadRecord>({
  record: LeadRecord,
  table: 'lead',
  check: checkLead,
  store: storeLeads,
})
