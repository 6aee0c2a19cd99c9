// How payments are locked, read back whole and serialized when they change.
import { Payment } from '@clinic-data/contract/resources/payment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import { thousandthsIn } from '@clinic-data/records/resources/money'
import { type PaymentRow, paymentResource, paymentsWhere } from '@clinic-data/records/resources/payment'
import type { Counted } from './refused-refunds.ts'
import { ResourceChanges } from './writing/resource-changes.ts'

const serialize = serializerOf(Payment)

export const paymentChanges = new ResourceChanges<Counted, PaymentRow>({
  table: 'payment',
  decisive: sql`status, is_refund, refunded_payment_id, patient_id, currency,
    ${thousandthsIn('payment', 'amount')} as amount_thousandths`,
  read: async (tx, clinic, ids) => {
    const { rows } = await tx.query<PaymentRow>(paymentsWhere(clinic, sql`y.id = any(${ids}::text[]) order by y.id`))
    return rows
  },
  serialize: (row) => serialize(paymentResource.render(row)),
})
