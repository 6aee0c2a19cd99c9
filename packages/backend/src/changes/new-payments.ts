// Payments and refunds that are recorded here: stores them, reads them back whole, and emits their events.
import type { Clinic } from '@clinic-data/contract'
import { Payment } from '@clinic-data/contract/resources/payment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql, type Transaction, wholeSecond } from '@clinic-data/database'
import { type PaymentRow, paymentResource, paymentsWhere } from '../resources/payment.ts'
import { ResourceChanges } from './resource-changes.ts'

const serialize = serializerOf(Payment)

export const paymentChanges = new ResourceChanges<Pick<PaymentRow, 'id' | 'status'>, PaymentRow>({
  table: 'payment',
  decisive: sql`status`,
  read: async (tx, clinic, ids) => {
    const { rows } = await tx.query<PaymentRow>(paymentsWhere(clinic, sql`y.id = any(${ids}::text[]) order by y.id`))
    return rows
  },
  serialize: (row) => serialize(paymentResource.render(row)),
})

/** A payment that names a refunded one is a refund. */
export interface NewPayment {
  id: string
  patient_id: string | null
  billing_account_id: string | null
  amount_minor: number
  currency: string
  method_type: PaymentRow['method_type']
  refunded_payment_id: string | null
  description: string | null
  external_id: string | null
  /** ISO 8601. Stored without decimals, never later than given. */
  paid_at: string
}

const DECIMALS = /\.\d+/

/** One statement's rows. */
const MOST_ROWS = 1_000

/**
 * Stores payments. Leaves out one whose id or `external_id` is taken.
 *
 * @returns when each stored one was paid, in the clinic's zone, by id.
 */
export async function insertPayments(
  tx: Transaction,
  { clinic_id }: Clinic,
  payments: readonly NewPayment[],
  now: Date,
): Promise<Map<string, string | null>> {
  const stored = new Map<string, string | null>()
  for (let at = 0; at < payments.length; at += MOST_ROWS) {
    const values = payments.slice(at, at + MOST_ROWS).map((payment) => {
      const paid_at = payment.paid_at.replace(DECIMALS, '')
      return sql`(${clinic_id}, ${payment.id}, ${payment.patient_id}, ${payment.billing_account_id},
        ${payment.amount_minor}, ${payment.currency}, ${payment.method_type}, ${payment.refunded_payment_id !== null},
        ${payment.refunded_payment_id}, ${payment.description}, ${payment.external_id}, ${paid_at},
        ${paid_at}::timestamptz::date, ${now}, ${now})`
    })
    const { rows } = await tx.query<{ id: string; paid_at: string | null }>(sql`
      insert into payment (clinic_id, id, patient_id, billing_account_id, amount_minor, currency, method_type, is_refund,
        refunded_payment_id, description, external_id, paid_at, paid_date, created_at, updated_at)
      values ${sql.join(values)} on conflict do nothing returning id, paid_at`)
    for (const row of rows) stored.set(row.id, wholeSecond(row.paid_at))
  }
  return stored
}
