// Patients as embedded in other resources: a row's own patient, or all patients with a phone number.
import { MAX } from '@clinic-data/contract'
import type { PatientSummary } from '@clinic-data/contract/resources/patient'
import type { Static } from '@clinic-data/contract/schema'
import { sql } from '@clinic-data/database'
import { Statement } from '@clinic-data/database/sql'

type Summary = Static<typeof PatientSummary>

const MOST = new Statement([String(MAX.patients)], [], true)

export interface PatientSummaryColumns {
  patient_id: string | null
  patient_first_name: string | null
  patient_last_name: string | null
}

/** Columns of a relation `patient` that is joined to the row. */
export const patientSummary = {
  columns: sql`
    patient.id as patient_id, patient.first_name as patient_first_name, patient.last_name as patient_last_name`,
  render({ patient_id: id, patient_first_name, patient_last_name }: PatientSummaryColumns): Summary | null {
    return id === null ? null : { id, first_name: patient_first_name, last_name: patient_last_name }
  },
}

/** The patients with the phone in `column` (E.164), as a JSON array ordered by id. Null when there are none. */
export function patientsWithPhone(clinic_id: string, column: Statement): Statement {
  return sql`(select json_agg(json_build_object('id', id, 'first_name', first_name, 'last_name', last_name) order by id)
    from (select distinct on (p.id) p.id, p.first_name, p.last_name
      from patient_contact contact join patient p on p.clinic_id = ${clinic_id} and p.id = contact.patient_id
      where contact.clinic_id = ${clinic_id} and contact.type = 'phone' and contact.value_normal = ${column}
      order by p.id limit ${MOST}) someone)`
}

export type PatientsWithPhone = Summary[] | null

/** Selects all phones of a patient, in normal form. */
export function phonesOf(clinic_id: string, patient_id: string): Statement {
  return sql`select distinct value_normal as phone from patient_contact
    where clinic_id = ${clinic_id} and patient_id = ${patient_id} and type = 'phone' and value_normal is not null`
}
