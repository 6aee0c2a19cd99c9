// A payment's columns, and its rendering as the contract's resource.
import { type Clinic, MAX } from '@clinic-data/contract'
import type { documentTypes, Payment } from '@clinic-data/contract/resources/payment'
import type { Static } from '@clinic-data/contract/schema'
import { type Statement, sql, wholeSecond } from '@clinic-data/database'
import { isHidden } from './hidden-text.ts'
import { catalogEntry, lookUp } from './look-up.ts'
import { majorUnits, thousandthsIn } from './money.ts'
import { type PatientSummaryColumns, patientSummary } from './patient-summary.ts'
import { type RowOf, resourceTable } from './resource-table.ts'

interface DocumentRow {
  id: string
  type: (typeof documentTypes)[number]
  number: string
  issued_at: string
  allocation_number: string | null
}

interface RefundRow {
  id: string
  amount_thousandths: number
  paid_at: string | null
}

interface Columns extends PatientSummaryColumns {
  external_id: string | null
  billing_account_id: string | null
  business_name: string | null
  amount_thousandths: number
  /** The status as the clinic reports it. `statusOf` adds the refunds. */
  status: 'recorded' | 'cancelled'
  /** The total amount refunded. `refunds` holds only the first `MAX.refunds` refunds. */
  refunded_thousandths: number
  refunds: RefundRow[] | null
  documents: DocumentRow[] | null
}

/** These fields are stored as records give them, and shown unchanged. */
export const paymentFields = ['currency', 'method_type', 'is_refund', 'refunded_payment_id', 'description'] as const

/** Needs `paymentJoins`. */
export const paymentResource = resourceTable<Static<typeof Payment>, Columns>()({
  relation: 'y',
  stored: ['id', ...paymentFields],
  instants: ['created_at', 'updated_at'],
  seconds: ['paid_at'],
  made: {
    patient: patientSummary,
    billing_account: {
      columns: sql`account.id as billing_account_id, account.business_name`,
      render: ({ billing_account_id: id, business_name }) =>
        id === null || business_name === null ? null : { id, business_name },
    },
    external_id: {
      columns: sql`y.external_id`,
      render: ({ external_id }) => (external_id !== null && isHidden(external_id) ? null : external_id),
    },
    amount: {
      columns: sql`${thousandthsIn('y', 'amount')} as amount_thousandths`,
      render: ({ amount_thousandths }) => majorUnits(amount_thousandths),
    },
    status: { columns: sql`y.status, given_back.refunded_thousandths`, render: statusOf },
    refunds: {
      columns: sql`given_back.refunds`,
      render: ({ refunds }) =>
        (refunds ?? []).map(({ id, amount_thousandths, paid_at }) => ({
          id,
          amount: majorUnits(amount_thousandths),
          paid_at: wholeSecond(paid_at),
        })),
    },
    documents: {
      columns: ({ clinic_id }) => sql`(select json_agg(
          json_build_object('id', d.id, 'type', d.type, 'number', d.number::text, 'issued_at', d.issued_at::text,
            'allocation_number', d.allocation_number)
          order by d.number, d.id)
        from payment_document d where d.clinic_id = ${clinic_id} and d.payment_id = y.id) as documents`,
      render: ({ documents }) =>
        (documents ?? []).map((document) => ({
          ...document,
          issued_at: wholeSecond(document.issued_at) ?? document.issued_at,
        })),
    },
  },
})
export type PaymentRow = RowOf<typeof paymentResource>

export function paymentJoins({ clinic_id }: Clinic): Statement {
  return sql`${lookUp('patient', clinic_id, sql`y.patient_id`)}
    ${catalogEntry('billing_account', clinic_id, sql`y.billing_account_id`, 'account')}
    left join lateral (
      select coalesce(sum(amount_thousandths), 0)::float8 as refunded_thousandths,
        json_agg(
          json_build_object('id', id, 'amount_thousandths', amount_thousandths, 'paid_at', paid_at::text) order by number)
          filter (where number <= ${MAX.refunds}) as refunds
      from (select id, ${thousandthsIn('payment', 'amount')} as amount_thousandths, paid_at,
          row_number() over (order by paid_sort, id) as number from payment
        where clinic_id = ${clinic_id} and refunded_payment_id = y.id and is_refund and status = 'recorded') refund
    ) given_back on true`
}

/** Selects the payments that match a condition on `y`. */
export function paymentsWhere(clinic: Clinic, condition: Statement): Statement {
  return sql`select ${paymentResource.columns(clinic)} from payment y ${paymentJoins(clinic)}
    where y.clinic_id = ${clinic.clinic_id} and ${condition}`
}

function statusOf({ status, amount_thousandths, refunded_thousandths }: Columns): Static<typeof Payment>['status'] {
  if (status === 'cancelled' || refunded_thousandths <= 0) return status
  return refunded_thousandths < amount_thousandths ? 'partially_refunded' : 'refunded'
}
