// Dataset `production`: recorded treatments in every respect.
import { dataset } from '../dataset.ts'

export const production = dataset({
  name: 'production',
  description: 'Recorded treatments in every respect: what was done, where, by whom, for whom, at what price.',
  requires_date_range: true,
  date_filter: 'effective_date',
  cap: 2000,
  measures: {
    net_revenue: {
      kind: 'sum',
      unit: 'currency',
      description: 'Price less discount.',
      requires_scope: 'payments:read',
    },
    gross_revenue: {
      kind: 'sum',
      unit: 'currency',
      description: 'Price before the discount.',
      requires_scope: 'payments:read',
    },
    discount_total: {
      kind: 'sum',
      unit: 'currency',
      description: 'What was taken off the prices.',
      requires_scope: 'payments:read',
    },
    avg_net_price: {
      kind: 'avg',
      unit: 'currency',
      description: 'Price less discount, a treatment that has a price.',
      requires_scope: 'payments:read',
    },
    treatment_count: { kind: 'count', unit: 'count', description: 'Recorded treatments.' },
    quantity: { kind: 'sum', unit: 'count', description: 'Units of what was done.' },
    patient_count: { kind: 'count_distinct', unit: 'count', description: 'Patients who were treated.' },
  },
  dimensions: {
    provider: { kind: 'column', description: 'Who treated.', labelled: true },
    branch: { kind: 'column', description: 'Where.', labelled: true },
    treatment: { kind: 'column', description: 'The procedure of the catalog.', labelled: true },
    treatment_category: { kind: 'column', description: "The procedure's category.", labelled: true },
    plan: { kind: 'column', description: 'The treatment plan that it is part of.', labelled: true },
    patient_gender: { kind: 'column', description: "The patient's gender.", requires_scope: 'patients:read' },
    patient_age_band: {
      kind: 'column',
      description: "The patient's age on the day of the question: 0-17, 18-29, 30-44, 45-64 or 65+.",
      requires_scope: 'patients:read',
    },
    effective_date: { kind: 'time', description: 'When it was performed.' },
    created_date: { kind: 'time', description: 'When it was recorded.' },
  },
  filters: {
    effective_date: { type: 'date' },
    provider: { type: 'id_list' },
    branch: { type: 'id_list' },
    treatment: { type: 'id_list' },
    treatment_category: { type: 'id_list' },
  },
})
