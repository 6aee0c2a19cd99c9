// Payment: its columns, and the row as the contract's resource.
import { type Clinic, MAX } from '@clinic-data/contract'
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

interface RefundRow {
  id: string
  amount_minor: number
  paid_at: string | null
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
  /** As the clinic says. */
  status: 'recorded' | 'cancelled'
  /** All that was given back of it, and the first of the refunds. */
  refunded_minor: number
  refunds: RefundRow[] | null
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
    y.currency, y.method_type, y.is_refund, y.refunded_payment_id, y.status, given_back.refunded_minor, given_back.refunds,
    y.description,
    (select json_agg(
        json_build_object('id', d.id, 'type', d.type, 'number', d.number::text, 'issued_at', d.issued_at::text,
          'allocation_number', d.allocation_number)
        order by d.number, d.id)
      from payment_document d where d.clinic_id = ${clinic_id} and d.payment_id = y.id) as documents,
    y.external_id, y.paid_at, y.created_at, y.updated_at`
}

export function paymentJoins({ clinic_id }: Clinic): Statement {
  return sql`${lookUp('patient', clinic_id, sql`y.patient_id`)}
    ${catalogEntry('billing_account', clinic_id, sql`y.billing_account_id`, 'account')}
    left join lateral (
      select coalesce(sum(amount_minor), 0)::float8 as refunded_minor,
        json_agg(json_build_object('id', id, 'amount_minor', amount_minor, 'paid_at', paid_at::text) order by number)
          filter (where number <= ${MAX.refunds}) as refunds
      from (select id, amount_minor, paid_at, row_number() over (order by paid_sort, id) as number from payment
        where clinic_id = ${clinic_id} and refunded_payment_id = y.id and is_refund and status = 'recorded') refund
    ) given_back on true`
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
    status: statusOf(row),
    refunds: (row.refunds ?? []).map(({ id, amount_minor, paid_at }) => ({
      id,
      amount: majorUnits(amount_minor),
      paid_at: wholeSecond(paid_at),
    })),
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

function statusOf({ status, amount_minor, refunded_minor }: PaymentRow): Static<typeof Payment>['status'] {
  if (status === 'cancelled' || refunded_minor <= 0) return status
  return refunded_minor < amount_minor ? 'partially_refunded' : 'refunded'
}
