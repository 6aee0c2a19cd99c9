// Recorded treatment: its columns, and the row as the contract's resource.
import type { Clinic } from '@clinic-data/contract'
import type { Treatment } from '@clinic-data/contract/resources/treatment'
import type { Static } from '@clinic-data/contract/schema'
import { instant, type Statement, sql, wholeSecond } from '@clinic-data/database'
import { lookUp } from './look-up.ts'
import { majorUnits } from './money.ts'
import { renderReference } from './named-reference.ts'
import { type PatientSummaryColumns, patientSummaryColumns, renderPatientSummary } from './patient-summary.ts'

export interface TreatmentRow extends PatientSummaryColumns {
  id: string
  catalog_treatment_id: string | null
  catalog_treatment_name: string | null
  catalog_treatment_code: string | null
  provider_id: string | null
  provider_name: string | null
  appointment_id: string | null
  appointment_start: string | null
  appointment_end: string | null
  plan_id: string | null
  plan_name: string | null
  quantity: number
  price_minor: number | null
  performed_at: string | null
  created_at: string
  updated_at: string
}

/** Of the relation `t` (rows of `treatment`), with `treatmentJoins`. */
export const treatmentColumns = sql`t.id, ${patientSummaryColumns}, definition.id as catalog_treatment_id,
  definition.name as catalog_treatment_name, definition.code as catalog_treatment_code,
  provider.id as provider_id, provider.name as provider_name, appointment.id as appointment_id,
  appointment.start as appointment_start, appointment."end" as appointment_end, plan.id as plan_id,
  plan.name as plan_name, t.quantity, t.price_minor, t.performed_at, t.created_at, t.updated_at`

export function treatmentJoins({ clinic_id }: Clinic): Statement {
  return sql`${lookUp('patient', clinic_id, sql`t.patient_id`)}
    ${lookUp('catalog_treatment', clinic_id, sql`t.catalog_treatment_id`, 'definition')}
    ${lookUp('provider', clinic_id, sql`t.provider_id`)}
    ${lookUp('appointment', clinic_id, sql`t.appointment_id`)}
    ${lookUp('treatment_plan', clinic_id, sql`t.plan_id`, 'plan')}`
}

/** The treatments that a condition on `t` names, removed ones too. */
export function treatmentsWhere(clinic: Clinic, condition: Statement): Statement {
  return sql`select ${treatmentColumns} from treatment t ${treatmentJoins(clinic)}
    where t.clinic_id = ${clinic.clinic_id} and ${condition}`
}

export function renderTreatment(row: TreatmentRow): Static<typeof Treatment> {
  const { catalog_treatment_id, catalog_treatment_name, appointment_id } = row
  return {
    id: row.id,
    patient: renderPatientSummary(row),
    treatment:
      catalog_treatment_id === null || catalog_treatment_name === null
        ? null
        : { id: catalog_treatment_id, name: catalog_treatment_name, code: row.catalog_treatment_code },
    provider: renderReference(row.provider_id, row.provider_name),
    appointment:
      appointment_id === null
        ? null
        : { id: appointment_id, start: wholeSecond(row.appointment_start), end: wholeSecond(row.appointment_end) },
    plan: renderReference(row.plan_id, row.plan_name),
    quantity: row.quantity,
    price: majorUnits(row.price_minor),
    performed_at: wholeSecond(row.performed_at),
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  }
}
