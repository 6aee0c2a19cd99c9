// Dataset `payments`: money received and refunded.
import { methodTypes } from '../../resources/payment.ts'
import { dataset } from '../dataset.ts'

export const payments = dataset({
  name: 'payments',
  description: 'Payments and refunds by the day on which they were made. A cancelled one counts in no measure.',
  requires_scope: 'payments:read',
  requires_date_range: true,
  date_filter: 'payment_date',
  cap: 2000,
  measures: {
    amount_collected: { kind: 'sum', unit: 'currency', description: 'Payments.' },
    amount_refunded: { kind: 'sum', unit: 'currency', description: 'Refunds.' },
    net_collected: { kind: 'sum', unit: 'currency', description: 'Payments less refunds.' },
    avg_payment: { kind: 'avg', unit: 'currency', description: 'Amount of a payment; refunds apart.' },
    payment_count: { kind: 'count', unit: 'count', description: 'Payments; refunds apart.' },
    refund_count: { kind: 'count', unit: 'count', description: 'Refunds.' },
    paying_patient_count: { kind: 'count_distinct', unit: 'count', description: 'Patients who paid.' },
  },
  dimensions: {
    method: { kind: 'column', description: 'How it was paid.' },
    billing_account: { kind: 'column', description: 'The receipt book.', labelled: true },
    currency: { kind: 'column', description: 'ISO 4217.' },
    is_refund: { kind: 'column', description: 'Whether money went back.' },
    payment_date: { kind: 'time', description: 'When it was paid.' },
  },
  filters: {
    payment_date: { type: 'date' },
    method: { type: 'string_list', values: methodTypes },
    billing_account: { type: 'id_list' },
    is_refund: { type: 'boolean' },
  },
})
