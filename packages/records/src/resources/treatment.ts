// A recorded treatment's columns, and its rendering as the contract's resource.
import type { Clinic } from '@clinic-data/contract'
import type { Treatment } from '@clinic-data/contract/resources/treatment'
import type { Static } from '@clinic-data/contract/schema'
import { type Statement, sql, wholeSecond } from '@clinic-data/database'
import { lookUp } from './look-up.ts'
import { majorUnits, thousandthsIn } from './money.ts'
import { renderReference } from './named-reference.ts'
import { type PatientSummaryColumns, patientSummary } from './patient-summary.ts'
import { type RowOf, resourceTable } from './resource-table.ts'

interface Columns extends PatientSummaryColumns {
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
  price_thousandths: number | null
}

/** Needs `treatmentJoins`. */
export const treatmentResource = resourceTable<Static<typeof Treatment>, Columns>()({
  relation: 't',
  stored: ['id', 'quantity'],
  instants: ['created_at', 'updated_at'],
  seconds: ['performed_at'],
  made: {
    patient: patientSummary,
    treatment: {
      columns: sql`definition.id as catalog_treatment_id, definition.name as catalog_treatment_name,
        definition.code as catalog_treatment_code`,
      render: ({ catalog_treatment_id: id, catalog_treatment_name: name, catalog_treatment_code: code }) =>
        id === null || name === null ? null : { id, name, code },
    },
    provider: {
      columns: sql`provider.id as provider_id, provider.name as provider_name`,
      render: ({ provider_id, provider_name }) => renderReference(provider_id, provider_name),
    },
    appointment: {
      columns: sql`appointment.id as appointment_id, appointment.start as appointment_start,
        appointment."end" as appointment_end`,
      render: ({ appointment_id: id, appointment_start, appointment_end }) =>
        id === null ? null : { id, start: wholeSecond(appointment_start), end: wholeSecond(appointment_end) },
    },
    plan: {
      columns: sql`plan.id as plan_id, plan.name as plan_name`,
      render: ({ plan_id, plan_name }) => renderReference(plan_id, plan_name),
    },
    price: {
      columns: sql`${thousandthsIn('t', 'price')} as price_thousandths`,
      render: ({ price_thousandths }) => majorUnits(price_thousandths),
    },
  },
})
export type TreatmentRow = RowOf<typeof treatmentResource>

export function treatmentJoins({ clinic_id }: Clinic): Statement {
  return sql`${lookUp('patient', clinic_id, sql`t.patient_id`)}
    ${lookUp('catalog_treatment', clinic_id, sql`t.catalog_treatment_id`, 'definition')}
    ${lookUp('provider', clinic_id, sql`t.provider_id`)}
    ${lookUp('appointment', clinic_id, sql`t.appointment_id`)}
    ${lookUp('treatment_plan', clinic_id, sql`t.plan_id`, 'plan')}`
}

/** Selects the treatments that match a condition on `t`, including removed ones. */
export function treatmentsWhere(clinic: Clinic, condition: Statement): Statement {
  return sql`select ${treatmentResource.columns(clinic)} from treatment t ${treatmentJoins(clinic)}
    where t.clinic_id = ${clinic.clinic_id} and ${condition}`
}
