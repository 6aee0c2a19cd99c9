// Stores leads: people who have asked, and are not patients yet.

import { type Clinic, MAX } from '@clinic-data/contract'
import { normalPhone } from '@clinic-data/contract/phone'
import { leadSources, leadStatuses } from '@clinic-data/contract/resources/lead'
import type { Transaction } from '@clinic-data/database'
import { type Bounds, type Fault, faultsOf, id, instant, nullable, oneOf, type Rule, text } from './bounds.ts'
import { foldEmail } from './folded-email.ts'
import { columnsOf, type RecordTable, type StoreCounts } from './record-table.ts'
import { countsOf, storeRows } from './store-rows.ts'

export type LeadRecord = {
  id: string
  first_name: string
  last_name: string | null
  phone: string | null
  email: string | null
  source: (typeof leadSources)[number]
  status: (typeof leadStatuses)[number]
  attribution: Readonly<Record<string, string | number | boolean>> | null
  meta: Readonly<Record<string, unknown>> | null
  converted_at: string | null
  created_at: string
  updated_at: string
}

const attributionValue: Rule = (value) => {
  if (typeof value === 'string') return text(MAX.attribution_value)(value)
  return typeof value === 'number' || typeof value === 'boolean' ? null : 'is neither text, number, true nor false'
}

function mapOf(keys: number, rule: Rule): Rule {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not an object'
    const values = Object.values(value)
    if (values.length > keys) return `holds more than ${keys} keys`
    return values.map(rule).find((reason) => reason !== null) ?? null
  }
}

const bounds: Bounds<LeadRecord> = {
  id,
  first_name: text(MAX.person_name, 1),
  last_name: nullable(text(MAX.person_name)),
  phone: nullable(text(MAX.phone)),
  email: nullable(text(MAX.email)),
  source: oneOf(...leadSources),
  status: oneOf(...leadStatuses),
  attribution: nullable(mapOf(MAX.attribution_keys, attributionValue)),
  meta: nullable(mapOf(MAX.meta_keys, () => null)),
  converted_at: nullable(instant),
  created_at: instant,
  updated_at: instant,
}

export function checkLead(record: LeadRecord): Fault[] {
  const faults = faultsOf(bounds, record)
  if (record.phone === null && record.email === null)
    faults.push({ field: 'phone', reason: 'is missing, and so is email' })
  return faults
}

const { fields, derived, json, localDate, once } = columnsOf<LeadRecord>()

const leads: RecordTable<LeadRecord> = {
  name: 'lead',
  key: fields('id'),
  columns: [
    ...fields('first_name', 'last_name', 'phone', 'email', 'source', 'status', 'converted_at'),
    derived('phone_normal', ({ phone }, { country }) => (phone === null ? null : normalPhone(phone, country))),
    derived('email_folded', ({ email }) => (email === null ? null : foldEmail(email))),
    json('attribution', (record) => record.attribution),
    json('meta', (record) => record.meta),
    ...once([...fields('created_at'), localDate('created_date', (record) => record.created_at, 3)]),
  ],
  updatedAt: (record) => record.updated_at,
}

export async function storeLeads(
  tx: Transaction,
  clinic: Clinic,
  records: readonly LeadRecord[],
): Promise<StoreCounts> {
  return countsOf(records, await storeRows(tx, clinic, leads, records))
}
