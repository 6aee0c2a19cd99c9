// Payments and refunds, as the clinic's own system reports them.

import { cancelPayments, changePayments } from '@clinic-data/changes/payments'
import { type Refund, refundPayments } from '@clinic-data/changes/refunds'
import { RefusedRows } from '@clinic-data/changes/writing/refused-rows'
import { type Clinic, MAX } from '@clinic-data/contract'
import { methodTypes } from '@clinic-data/contract/resources/payment'
import { choice, GivenId, Id, nullable, strictObject, Type, text, thirdDecimal } from '@clinic-data/contract/schema'
import type { Finding } from '@clinic-data/contract/validator'
import { sql, type Transaction } from '@clinic-data/database'
import { checkPayment, type PaymentRecord, paymentKind } from '@clinic-data/records/payments'
import { RecordedInstant } from '@clinic-data/records/storing/record-schema'
import { recordsOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'
import { ofKind, storeRecords } from './store-records.ts'

const tag = 'Payments'

const SentRefund = strictObject({
  id: GivenId,
  refunded_payment_id: text(MAX.id, { minLength: 1, description: 'The payment that is given back, or a part of it.' }),
  amount: Type.Number({
    exclusiveMinimum: 0,
    maximum: MAX.money,
    ...thirdDecimal,
    description: "Positive, in the payment's currency, and at most what is left of the payment.",
  }),
  method_type: nullable(choice(methodTypes), { description: "How it was given back. Default: the payment's." }),
  paid_at: nullable(RecordedInstant, { description: 'When the money moved. Default: the time of storing.' }),
  description: nullable(text(MAX.description), { description: 'What it was given back for.' }),
})

export const paymentOperations = [
  recordsOperation({
    id: 'payments.store',
    ofPatients: 'payment',
    path: '/payments',
    tag,
    summary: 'Store payments',
    description:
      "Stores payments with the documents that the clinic's own system issued for them. None is issued here. The currency is the clinic's. A refund is of the same patient and currency as its payment, and at most what is left of it. Fires `payment.recorded` for a new payment. Fires `payment.cancelled` if a payment's status becomes `cancelled`, and with each payment that a new or changed refund counted or counts against. Other corrections are stored and fire nothing.",
    ...ofKind(paymentKind, {
      defaults: { is_refund: false, status: 'recorded' },
      // Whether amount and currency are the clinic's is looked at with what is stored.
      check: (record) => [...checkPayment(record), ...directionFaults(record)],
      change: async (tx, clinic, records) => {
        await refuseRefundsOfRefunds(tx, clinic, records)
        return changePayments(tx, clinic, records)
      },
    }),
    table: 'payment',
    example: {
      id: 'pay9001',
      patient_id: 'p1042',
      billing_account_id: 'main',
      amount: 350,
      currency: 'ILS',
      method_type: 'credit_card',
      description: 'Scaling',
      paid_at: '2026-07-14T10:30:00+03:00',
      documents: [
        {
          id: 'd7001',
          billing_account_id: 'main',
          type: 'tax_invoice_receipt',
          number: 20417,
          issued_at: '2026-07-14T10:31:00+03:00',
        },
      ],
    },
  }),
  recordsOperation({
    id: 'payments.cancel',
    ofPatients: 'payment',
    path: '/payments/cancel',
    tag,
    summary: 'Cancel payments',
    description:
      'For a payment that was recorded by mistake. Money that was given back is a refund instead. If the payment is cancelled already, the outcome is `unchanged`. Fires `payment.cancelled`, for a refund also with the payment that it gave back.',
    record: strictObject({ id: Id }),
    references: { id: 'payment' },
    becomes: 'updated',
    example: { id: 'pay9001' },
    apply: storeRecords<{ id: string }>({
      dated: false,
      change: (tx, clinic, records, now) =>
        cancelPayments(
          tx,
          clinic,
          records.map(({ id }) => id),
          now,
        ),
    }),
  }),
  recordsOperation({
    id: 'refunds.store',
    ofPatients: 'payment',
    path: '/refunds',
    tag,
    summary: 'Record refunds',
    description:
      'A refund is a payment of its own that gives back another payment, or a part of it. If the document of the payment was issued here, a credit invoice is issued. Fires `payment.cancelled` with the payment that was refunded.',
    record: sentForm(SentRefund),
    references: { refunded_payment_id: 'payment' },
    example: {
      id: 'ref9001',
      refunded_payment_id: 'pay9001',
      amount: 100,
      paid_at: '2026-07-15T09:00:00+03:00',
      description: 'Half of the treatment',
    },
    apply: storeRecords<Refund>({ dated: false, change: refundPayments }),
  }),
]

function directionFaults({ is_refund, refunded_payment_id }: PaymentRecord): Finding[] {
  if (is_refund || refunded_payment_id === null) return []
  return [{ place: '/refunded_payment_id', code: 'not_allowed', detail: 'must be null: only a refund gives back' }]
}

/** @throws RefusedRows also for a refund of the same batch. */
async function refuseRefundsOfRefunds(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly PaymentRecord[],
): Promise<void> {
  const named = records.flatMap(({ refunded_payment_id }) => refunded_payment_id ?? [])
  if (named.length === 0) return
  const { rows } = await tx.query<{ id: string }>(sql`select id from payment
    where clinic_id = ${clinic_id} and id = any(${named}::text[]) and is_refund`)
  const refunds = new Set([...rows, ...records.filter(({ is_refund }) => is_refund)].map(({ id }) => id))
  const detail = 'must be the id of a payment, not of a refund'
  const refused = records.flatMap(({ refunded_payment_id }, index) =>
    refunds.has(refunded_payment_id ?? '') ? [{ index, place: '/refunded_payment_id', code: 'refund', detail }] : [],
  )
  if (refused.length > 0) throw new RefusedRows(refused)
}
