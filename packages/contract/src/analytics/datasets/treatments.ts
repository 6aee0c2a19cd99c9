// Dataset `treatments`: exactly the one in the specification.
import { dataset } from '../dataset.ts'

export const treatments = dataset({
  name: 'treatments',
  description: 'Recorded treatments by provider and date.',
  requires_date_range: true,
  date_filter: 'effective_date',
  cap: 1000,
  measures: {
    net_revenue: {
      kind: 'sum',
      unit: 'currency',
      description: 'Price less discount.',
      requires_scope: 'payments:read',
    },
    treatment_count: { kind: 'count', unit: 'count', description: 'Recorded treatments.' },
  },
  dimensions: {
    provider: { kind: 'column', description: 'Who treated.', labelled: true },
    effective_date: { kind: 'time', description: 'When it was performed.' },
  },
  filters: { effective_date: { type: 'date' }, provider: { type: 'id_list' } },
})
