// Patient: its columns, and the row as the contract's resource, concise or detailed.
import type { Clinic } from '@clinic-data/contract'
import type { Patient, PatientContact, PatientDetailed } from '@clinic-data/contract/resources/patient'
import type { Static } from '@clinic-data/contract/schema'
import { instant, type Statement, sql } from '@clinic-data/database'
import { type AddressColumns, renderAddress } from './address.ts'
import { catalogEntry } from './look-up.ts'
import { majorUnits } from './money.ts'

export interface PatientRow {
  id: string
  first_name: string | null
  last_name: string | null
  phone: string | null
  email: string | null
  gender: 'male' | 'female' | null
  birth_date: string | null
  status_id: string | null
  status_name: string | null
  status_color: string | null
  created_at: string
  updated_at: string
}

export interface PatientDetailedRow extends PatientRow, AddressColumns {
  id_number: string | null
  contacts: Static<typeof PatientContact>[] | null
  balance_minor: number
}

/** Of the relation `p` (rows of `patient`), with `patientJoins`. */
export const patientColumns = sql`p.id, p.first_name, p.last_name, p.phone, p.email, p.gender, p.birth_date,
  status.id as status_id, status.name as status_name, status.color as status_color, p.created_at, p.updated_at`

export function patientJoins({ clinic_id }: Clinic): Statement {
  return catalogEntry('patient_status', clinic_id, sql`p.status_id`, 'status')
}

/** The patients that a condition on `p` names; `more` columns beside the concise form's. */
export function patientsWhere(clinic: Clinic, condition: Statement, more: Statement = sql.empty): Statement {
  return sql`select ${patientColumns}${more} from patient p ${patientJoins(clinic)}
    where p.clinic_id = ${clinic.clinic_id} and ${condition}`
}

/**
 * What `response_format=detailed` adds. The balance is what was done less what was paid, refunds given back, in the
 * clinic's currency: positive when the patient owes.
 */
export function patientDetails({ clinic_id, currency }: Clinic): Statement {
  return sql`p.street, p.city, p.postal_code, p.country, p.id_number,
    (select json_agg(
        json_build_object('type', c.type, 'value', c.value, 'label', c.label, 'is_primary', c.is_primary)
        order by c.position)
      from patient_contact c where c.clinic_id = ${clinic_id} and c.patient_id = p.id) as contacts,
    (select coalesce(sum(t.price_minor - t.discount_minor), 0) from treatment t
      where t.clinic_id = ${clinic_id} and t.patient_id = p.id and t.removed_at is null)::bigint
    - (select coalesce(sum(case when y.is_refund then - y.amount_minor else y.amount_minor end), 0) from payment y
      where y.clinic_id = ${clinic_id} and y.patient_id = p.id and y.status = 'recorded' and y.currency = ${currency}
    )::bigint as balance_minor`
}

export function renderPatient(row: PatientRow): Static<typeof Patient> {
  const { status_id, status_name } = row
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    phone: row.phone,
    email: row.email,
    gender: row.gender,
    birth_date: row.birth_date,
    status:
      status_id === null || status_name === null ? null : { id: status_id, name: status_name, color: row.status_color },
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  }
}

export function renderPatientDetailed(row: PatientDetailedRow, clinic: Clinic): Static<typeof PatientDetailed> {
  return {
    ...renderPatient(row),
    address: renderAddress(row),
    contacts: row.contacts ?? [],
    balance: { amount: majorUnits(row.balance_minor), currency: clinic.currency },
    id_number: row.id_number,
  }
}
