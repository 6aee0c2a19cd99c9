// Payment, and the refund, which is a payment too. Card, check and bank details are never part of it.
import { MAX } from '../limits.ts'
import {
  about,
  CreatedAt,
  Currency,
  choice,
  Id,
  Instant,
  list,
  named,
  nullable,
  object,
  Type,
  text,
  UpdatedAt,
} from '../schema/schema.ts'
import { PatientSummary } from './patient.ts'

export const methodTypes = ['cash', 'check', 'credit_card', 'bank_transfer', 'payment_app', 'other'] as const
/** A clinic reports a payment as `recorded` or `cancelled`. The refunds determine the other statuses. */
export const paymentStatuses = ['recorded', 'partially_refunded', 'refunded', 'cancelled'] as const
export const documentTypes = ['receipt', 'tax_invoice', 'tax_invoice_receipt', 'credit_invoice'] as const

export const PaymentDocument = named(
  'PaymentDocument',
  object({
    id: Id,
    type: choice(documentTypes),
    number: text(MAX.code, { description: 'The numbers of one billing account and type have no gaps.' }),
    issued_at: Instant,
    allocation_number: nullable(text(MAX.code), { description: "The tax authority's number, if one is needed." }),
  }),
  { id: 'd7001', type: 'receipt', number: '20417', issued_at: '2026-07-14T10:31:00+03:00', allocation_number: null },
)

export const Payment = named(
  'Payment',
  object({
    id: Id,
    patient: nullable(PatientSummary, { description: 'Who paid, or was refunded.' }),
    billing_account: nullable(object({ id: Id, business_name: text(MAX.name) }), {
      description: 'The receipt book that the documents belong to.',
    }),
    amount: Type.Number({
      exclusiveMinimum: 0,
      maximum: MAX.money,
      description: 'Positive, in major units; `is_refund` gives the direction.',
    }),
    currency: about('ISO 4217.', Currency),
    method_type: choice(methodTypes, { description: 'How it was paid. Card, check and bank details are never shown.' }),
    is_refund: Type.Boolean({ description: 'A refund is a payment of its own, in the other direction.' }),
    refunded_payment_id: nullable(Id, { description: 'The payment that a refund gives back.' }),
    status: choice(paymentStatuses, {
      description:
        'Whether it still counts. `partially_refunded`: a part was given back. `refunded`: all of it was. A refund itself is `recorded` or `cancelled`.',
    }),
    refunds: list(
      object({
        id: Id,
        amount: Type.Number({ exclusiveMinimum: 0, maximum: MAX.money, description: 'Positive, in major units.' }),
        paid_at: nullable(Instant, { description: 'When the money moved.' }),
      }),
      MAX.refunds,
      {
        description:
          'The refunds of this payment. Each is a payment of its own and can be read by its id. Cancelled ones are left out.',
      },
    ),
    description: nullable(text(MAX.description)),
    documents: list(PaymentDocument, MAX.documents, {
      description: 'The accounting documents issued for it. They never change.',
    }),
    external_id: nullable(text(MAX.external_id), { description: 'The id that the recording system gave it.' }),
    paid_at: nullable(Instant, { description: 'When the money moved.' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  }),
  {
    id: 'pay9001',
    patient: { id: 'p1042', first_name: 'Noa', last_name: 'Levi' },
    billing_account: { id: 'main', business_name: 'Carmel Dental Ltd' },
    amount: 350,
    currency: 'ILS',
    method_type: 'credit_card',
    is_refund: false,
    refunded_payment_id: null,
    status: 'recorded',
    refunds: [],
    description: 'Cleaning',
    documents: [
      {
        id: 'd7001',
        type: 'receipt',
        number: '20417',
        issued_at: '2026-07-14T10:31:00+03:00',
        allocation_number: null,
      },
    ],
    external_id: null,
    paid_at: '2026-07-14T10:31:00+03:00',
    created_at: '2026-07-14T10:31:00.204+03:00',
    updated_at: '2026-07-14T10:31:00.204+03:00',
  },
)
