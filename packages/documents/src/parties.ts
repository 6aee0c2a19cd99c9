// The issuer and the recipient of an accounting document: their columns, and their printed form.
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import type { AccountingDocument } from './accounting-document.ts'

export interface PartyColumns {
  business_name: string | null
  business_id: string | null
  business_phone: string | null
  business_street: string | null
  business_postal_code: string | null
  business_city: string | null
  first_name: string | null
  last_name: string | null
  id_number: string | null
}

/** Columns of the relations `account`, `site` (`siteJoin`) and `patient`. */
export const partyColumns = sql`account.business_name, account.business_id, site.phone as business_phone,
  site.street as business_street, site.postal_code as business_postal_code, site.city as business_city,
  patient.first_name, patient.last_name, patient.id_number`

/** Joins the clinic's branch if it has only one. With several, nothing says at which of them a business is. */
export function siteJoin({ clinic_id }: Clinic): Statement {
  return sql`left join branch site on site.clinic_id = ${clinic_id} and not exists
    (select from branch other where other.clinic_id = ${clinic_id} and other.id <> site.id)`
}

export function partiesOf(row: PartyColumns): Pick<AccountingDocument, 'business' | 'customer'> {
  const town = joined([row.business_postal_code, row.business_city], ' ')
  return {
    business: {
      name: row.business_name ?? '',
      business_id: row.business_id,
      address: joined([row.business_street, town], ', '),
      phone: row.business_phone,
    },
    customer: { name: joined([row.first_name, row.last_name], ' ') ?? '', id_number: row.id_number },
  }
}

function joined(parts: readonly (string | null)[], separator: string): string | null {
  return parts.filter((part) => part !== null && part !== '').join(separator) || null
}
