// Payment: its columns, and the row as the contract's resource.
import type { Clinic } from '@clinic-data/contract'
import type { documentTypes, methodTypes, Payment } from '@clinic-data/contract/resources/payment'
import type { Static } from '@clinic-data/contract/schema'
import { instant, type Statement, sql, wholeSecond } from '@clinic-data/database'
import { catalogEntry, lookUp } from './look-up.ts'
import { majorUnits } from './money.ts'
import { type PatientSummaryColumns, patientSummaryColumns, renderPatientSummary } from './patient-summary.ts'

interface DocumentRow {
  id: string
  type: (typeof documentTypes)[number]
  number: string
  issued_at: string
  allocation_number: string | null
}

export interface PaymentRow extends PatientSummaryColumns {
  id: string
  billing_account_id: string | null
  business_name: string | null
  amount_minor: number
  currency: string
  method_type: (typeof methodTypes)[number]
  is_refund: boolean
  refunded_payment_id: string | null
  status: 'recorded' | 'cancelled'
  description: string | null
  documents: DocumentRow[] | null
  external_id: string | null
  paid_at: string | null
  created_at: string
  updated_at: string
}

/** Of the relation `y` (rows of `payment`), with `paymentJoins`. */
export function paymentColumns({ clinic_id }: Clinic): Statement {
  return sql`y.id, ${patientSummaryColumns}, account.id as billing_account_id, account.business_name, y.amount_minor,
    y.currency, y.method_type, y.is_refund, y.refunded_payment_id, y.status, y.description,
    (select json_agg(
        json_build_object('id', d.id, 'type', d.type, 'number', d.number::text, 'issued_at', d.issued_at::text,
          'allocation_number', d.allocation_number)
        order by d.number, d.id)
      from payment_document d where d.clinic_id = ${clinic_id} and d.payment_id = y.id) as documents,
    y.external_id, y.paid_at, y.created_at, y.updated_at`
}

export function paymentJoins({ clinic_id }: Clinic): Statement {
  return sql`${lookUp('patient', clinic_id, sql`y.patient_id`)}
    ${catalogEntry('billing_account', clinic_id, sql`y.billing_account_id`, 'account')}`
}

/** The payments that a condition on `y` names. */
export function paymentsWhere(clinic: Clinic, condition: Statement): Statement {
  return sql`select ${paymentColumns(clinic)} from payment y ${paymentJoins(clinic)}
    where y.clinic_id = ${clinic.clinic_id} and ${condition}`
}

export function renderPayment(row: PaymentRow): Static<typeof Payment> {
  const { billing_account_id, business_name } = row
  return {
    id: row.id,
    patient: renderPatientSummary(row),
    billing_account:
      billing_account_id === null || business_name === null ? null : { id: billing_account_id, business_name },
    amount: majorUnits(row.amount_minor),
    currency: row.currency,
    method_type: row.method_type,
    is_refund: row.is_refund,
    refunded_payment_id: row.refunded_payment_id,
    status: row.status,
    description: row.description,
    documents: (row.documents ?? []).map((document) => ({
      ...document,
      issued_at: wholeSecond(document.issued_at) ?? document.issued_at,
    })),
    external_id: row.external_id,
    paid_at: wholeSecond(row.paid_at),
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  }
}
