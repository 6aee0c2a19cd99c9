// Dataset `payments`: money received and refunded.
import { methodTypes } from '../../resources/payment.ts'
import { dataset } from '../dataset.ts'
import { column, labelled, time } from '../dimensions.ts'
import { dates, flag, ids, strings } from '../filters.ts'
import { average, count, distinct, sum } from '../measures.ts'

export const payments = dataset({
  name: 'payments',
  description:
    'Payments and refunds by the day on which they were made. A cancelled one counts in no measure. Amounts are in the clinic’s currency: others are left out, and `other_currency_count` says how many. Grouped by `currency`, each row has the amounts of its own; the totals still leave the others out.',
  requires_scope: 'payments:read',
  requires_date_range: true,
  date_filter: 'payment_date',
  cap: 2000,
  measures: {
    amount_collected: sum('currency', 'Payments.'),
    amount_refunded: sum('currency', 'Refunds.'),
    net_collected: sum('currency', 'Payments less refunds.'),
    avg_payment: average('currency', 'Average amount of a payment, without refunds.'),
    payment_count: count('Payments, without refunds.'),
    refund_count: count('Refunds.'),
    paying_patient_count: distinct('Patients who paid.'),
    other_currency_count: count(
      'Payments and refunds in another currency than the clinic’s, which the amounts leave out.',
    ),
  },
  dimensions: {
    method: column('How it was paid.'),
    billing_account: labelled('The receipt book.'),
    patient: labelled('Who paid.', 'patients:read'),
    currency: column('ISO 4217.'),
    is_refund: column('Whether money went back.'),
    payment_date: time('When it was paid.'),
  },
  filters: {
    payment_date: dates,
    method: strings(methodTypes),
    billing_account: ids,
    is_refund: flag,
  },
})
