// A patient's columns, and its rendering as the contract's resource, concise or detailed.
import type { Clinic } from '@clinic-data/contract'
import type { Patient, PatientContact, PatientDetailed } from '@clinic-data/contract/resources/patient'
import type { Static } from '@clinic-data/contract/schema'
import { type Statement, sql } from '@clinic-data/database'
import { type AddressColumns, renderAddress } from './address.ts'
import { catalogEntry } from './look-up.ts'
import { majorUnits, thousandthsIn } from './money.ts'
import { type RowOf, resourceTable } from './resource-table.ts'

interface StatusColumns {
  status_id: string | null
  status_name: string | null
  status_color: string | null
}

/** These fields are stored as records give them, and shown unchanged. */
export const patientFields = ['first_name', 'last_name', 'gender', 'birth_date'] as const

/** Needs `patientJoins`. */
export const patientResource = resourceTable<Static<typeof Patient>, StatusColumns>()({
  relation: 'p',
  stored: ['id', ...patientFields, 'phone', 'email'],
  instants: ['created_at', 'updated_at'],
  made: {
    status: {
      columns: sql`status.id as status_id, status.name as status_name, status.color as status_color`,
      render: ({ status_id: id, status_name: name, status_color: color }) =>
        id === null || name === null ? null : { id, name, color },
    },
  },
})
export type PatientRow = RowOf<typeof patientResource>

type Details = Omit<Required<Static<typeof PatientDetailed>>, keyof Static<typeof Patient> | 'balance'>

interface DetailColumns extends AddressColumns {
  contacts: Static<typeof PatientContact>[] | null
}

const details = resourceTable<Details, DetailColumns>()({
  relation: 'p',
  stored: ['id_number'],
  instants: [],
  made: {
    address: { columns: sql`p.street, p.city, p.postal_code, p.country`, render: renderAddress },
    contacts: {
      columns: ({ clinic_id }) => sql`(select json_agg(
          json_build_object('type', c.type, 'value', c.value, 'label', c.label, 'is_primary', c.is_primary)
          order by c.position)
        from patient_contact c where c.clinic_id = ${clinic_id} and c.patient_id = p.id) as contacts`,
      render: ({ contacts }) => contacts ?? [],
    },
  },
})
export type PatientDetailedRow = PatientRow & RowOf<typeof details> & { balance_thousandths: number }

export function patientJoins({ clinic_id }: Clinic): Statement {
  return catalogEntry('patient_status', clinic_id, sql`p.status_id`, 'status')
}

/** Selects the patients that match a condition on `p`. `more` adds columns to those of the concise form. */
export function patientsWhere(clinic: Clinic, condition: Statement, more: Statement = sql.empty): Statement {
  return sql`select ${patientResource.columns(clinic)}${more} from patient p ${patientJoins(clinic)}
    where p.clinic_id = ${clinic.clinic_id} and ${condition}`
}

const price = sql`(${thousandthsIn('t', 'price')} - ${thousandthsIn('t', 'discount')})`
const paid = sql`(case when y.is_refund then -1 else 1 end * ${thousandthsIn('y', 'amount')})`

/**
 * The treatments of a patient less the payments, with refunds added back, in thousandths of the clinic's currency. Positive when the
 * patient owes money. @param id the patient's, in the statement
 */
export function balanceOf({ clinic_id, currency }: Clinic, id: Statement): Statement {
  return sql`((select coalesce(sum(${price}), 0) from treatment t
      where t.clinic_id = ${clinic_id} and t.patient_id = ${id} and t.removed_at is null)::bigint
    - (select coalesce(sum(${paid}), 0) from payment y
      where y.clinic_id = ${clinic_id} and y.patient_id = ${id} and y.status = 'recorded' and y.currency = ${currency}
    )::bigint)`
}

/** The ids of all patients whose balance is above an amount, in thousandths and not negative: the clinic's records read once. */
export function debtorsOf({ clinic_id, currency }: Clinic, thousandths: number): Statement {
  return sql`select patient_id from (
      select t.patient_id, ${price} as owed from treatment t where t.clinic_id = ${clinic_id} and t.removed_at is null
      union all select y.patient_id, - ${paid} from payment y
        where y.clinic_id = ${clinic_id} and y.status = 'recorded' and y.currency = ${currency}) record
    where patient_id is not null group by patient_id having sum(owed) > ${thousandths}::bigint`
}

/** The columns of `response_format=detailed`. */
export function patientDetails(clinic: Clinic): Statement {
  return sql`${details.columns(clinic)}, ${balanceOf(clinic, sql`p.id`)} as balance_thousandths`
}

export function renderPatientDetailed(row: PatientDetailedRow, { currency }: Clinic): Static<typeof PatientDetailed> {
  const balance = { amount: majorUnits(row.balance_thousandths), currency }
  return { ...patientResource.render(row), ...details.render(row), balance }
}
