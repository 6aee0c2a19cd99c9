// Payments and refunds: of one patient, one by id, and recording one.

import { MAX } from '../limits.ts'
import { latestFirst, one, operation, page, paging, period, updatedSince } from '../operation.ts'
import { methodTypes, Payment } from '../resources/payment.ts'
import { about, Currency, cents, choice, Id, strictObject, Type, text } from '../schema.ts'

export const paymentsList = operation({
  id: 'payments.list',
  method: 'GET',
  path: '/v1/patients/{id}/payments',
  scope: 'payments:read',
  tag: 'Payments',
  summary: "A patient's payments and refunds",
  description: 'By the time paid, latest first. A refund is a payment of its own.',
  ids: { id: 'patient' },
  query: strictObject({ ...period('paid_at'), ...updatedSince, ...paging }),
  shape: 'page',
  order: latestFirst('paid_at'),
  untrustedText: false,
  output: page(Payment),
  example: { params: { id: 'p1042' } },
})

export const paymentsGet = operation({
  id: 'payments.get',
  method: 'GET',
  path: '/v1/payments/{id}',
  scope: 'payments:read',
  tag: 'Payments',
  summary: 'One payment',
  description: 'By id. Card, check and bank details are never part of a payment.',
  ids: { id: 'payment' },
  shape: 'one',
  untrustedText: false,
  output: one(Payment),
  example: { params: { id: 'pay9001' } },
})

export const PaymentRequest = strictObject({
  amount: Type.Number({
    exclusiveMinimum: 0,
    maximum: MAX.payment,
    ...cents,
    description: 'Major units, at most two decimals.',
  }),
  method_type: choice(methodTypes, { description: 'How it was paid. Card, check and bank fields are refused.' }),
  currency: Type.Optional(about("Default, and only choice: the clinic's currency.", Currency)),
  billing_account_id: Type.Optional(
    about('The receipt book, from the catalog. May be left out where there is only one.', Id),
  ),
  paid_at: Type.Optional(text(MAX.instant, { format: 'instant', description: 'Default now; not in the future.' })),
  description: Type.Optional(text(MAX.description, { description: 'What it was paid for.' })),
  document_type: Type.Optional(
    choice(['receipt', 'tax_invoice_receipt'], { description: "Default: the billing account's." }),
  ),
  external_id: Type.Optional(
    text(MAX.external_id, { minLength: 1, description: 'Unique per clinic: a replay answers the first payment.' }),
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
    'Records a payment and issues its accounting documents. `billing_account_id` may be omitted only when the clinic has exactly one billing account.',
  ids: { id: 'patient' },
  body: PaymentRequest,
  shape: 'one',
  untrustedText: false,
  output: one(Payment),
  status: 201,
  alsoStatus: 200,
  effect: 'once a key',
  problems: ['conflict', 'unprocessable', 'idempotency-key-reused'],
  example: { params: { id: 'p1042' }, body: { amount: 350, method_type: 'credit_card', billing_account_id: 'main' } },
})
