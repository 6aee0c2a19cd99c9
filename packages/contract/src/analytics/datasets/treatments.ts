// Dataset `treatments`: exactly the one in the specification.
import { dataset } from '../dataset.ts'
import { labelled, time } from '../dimensions.ts'
import { dates, ids } from '../filters.ts'
import { count, sum } from '../measures.ts'

export const treatments = dataset({
  name: 'treatments',
  description: 'Recorded treatments by provider and date.',
  requires_date_range: true,
  date_filter: 'effective_date',
  cap: 1000,
  measures: {
    net_revenue: sum('currency', 'Price less discount.', 'payments:read'),
    treatment_count: count('Recorded treatments.'),
  },
  dimensions: {
    provider: labelled('Who treated.'),
    effective_date: time('When it was performed.'),
  },
  filters: { effective_date: dates, provider: ids },
})
