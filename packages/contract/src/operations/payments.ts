// Payments and refunds: of the clinic, of one patient, one by id, and recording one.

import { MAX } from '../limits.ts'
import { paging, period, updatedSince } from '../list-parameters.ts'
import { answersOne, answersPage, latestFirst, operation, reading } from '../operation.ts'
import { methodTypes, Payment } from '../resources/payment.ts'
import { about, Currency, choice, Id, strictObject, Type, text, thirdDecimal } from '../schema/schema.ts'

const read = reading({ scope: 'payments:read', tag: 'Payments', untrustedText: false, patients: 'patient' })

export const paymentsList = operation({
  ...read('payments.list', '/v1/patients/{id}/payments'),
  summary: "A patient's payments and refunds",
  description: 'Sorted by `paid_at`, latest first. A refund is a payment of its own.',
  ids: { id: 'patient' },
  query: strictObject({ ...period('paid_at'), ...updatedSince, ...paging }),
  ...answersPage(Payment, latestFirst('paid_at')),
})

export const paymentsSearch = operation({
  ...read('payments.search', '/v1/payments'),
  summary: "The clinic's payments and refunds",
  description: 'Those of all patients, sorted by `paid_at`, latest first. A refund is a payment of its own.',
  query: strictObject({
    method_type: Type.Optional(choice(methodTypes, { description: 'Only payments made this way.' })),
    ...period('paid_at'),
    ...updatedSince,
    ...paging,
  }),
  ...answersPage(Payment, latestFirst('paid_at')),
  example: { query: { from: '2026-07-01', to: '2026-07-31' } },
})

export const paymentsGet = operation({
  ...read('payments.get', '/v1/payments/{id}'),
  summary: 'One payment',
  description: 'By id. Card, check and bank details are never part of a payment.',
  ids: { id: 'payment' },
  ...answersOne(Payment),
})

export const PaymentRequest = strictObject({
  amount: Type.Number({
    exclusiveMinimum: 0,
    maximum: MAX.payment,
    ...thirdDecimal,
    description: 'In major units, with at most the decimals of the currency.',
  }),
  method_type: choice(methodTypes, { description: 'How it was paid. Card, check and bank fields are refused.' }),
  currency: Type.Optional(about("The clinic's currency. It is the default and the only choice.", Currency)),
  billing_account_id: Type.Optional(
    about('The receipt book, from the catalog. May be left out if the clinic has only one.', Id),
  ),
  paid_at: Type.Optional(
    text(MAX.instant, { format: 'instant', description: 'Default: now. Must not be in the future.' }),
  ),
  description: Type.Optional(text(MAX.description, { description: 'What it was paid for.' })),
  document_type: Type.Optional(
    choice(['receipt', 'tax_invoice_receipt'], { description: "Default: the billing account's type." }),
  ),
  external_id: Type.Optional(
    text(MAX.external_id, {
      minLength: 1,
      description:
        'Unique per clinic. Sending the same one again answers the first payment, or 409 if the content is another.',
    }),
  ),
})

export const paymentsCreate = operation({
  id: 'payments.create',
  method: 'POST',
  path: '/v1/patients/{id}/payments',
  scope: 'payments:write',
  tag: 'Payments',
  summary: 'Record a payment',
  description:
    'Records a payment and issues its accounting documents. `billing_account_id` may be omitted only when the clinic has exactly one billing account. Refunds are made at the clinic alone.',
  ids: { id: 'patient' },
  body: PaymentRequest,
  untrustedText: false,
  patients: 'patient',
  ...answersOne(Payment),
  status: 201,
  alsoStatus: 200,
  effect: 'once a key',
  problems: ['conflict', 'unprocessable', 'idempotency-key-reused'],
  example: { body: { amount: 350, method_type: 'credit_card', billing_account_id: 'main' } },
})
