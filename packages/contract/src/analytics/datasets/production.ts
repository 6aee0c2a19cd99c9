// Dataset `production`: recorded treatments in every respect.
import { dataset } from '../dataset.ts'
import { column, labelled, patientOf, time } from '../dimensions.ts'
import { dates, ids } from '../filters.ts'
import { average, count, distinct, sum } from '../measures.ts'

export const production = dataset({
  name: 'production',
  description: 'Recorded treatments in detail: what was done, where, by whom, for whom, at what price.',
  requires_date_range: true,
  date_filter: 'effective_date',
  cap: 2000,
  measures: {
    net_revenue: sum('currency', 'Price less discount.', 'payments:read'),
    gross_revenue: sum('currency', 'Price before the discount.', 'payments:read'),
    discount_total: sum('currency', 'What was taken off the prices.', 'payments:read'),
    avg_net_price: average('currency', 'Price less discount, per treatment that has a price.', 'payments:read'),
    treatment_count: count('Recorded treatments.'),
    quantity: sum('count', 'Units of the recorded treatments.'),
    patient_count: distinct('Patients who were treated.'),
  },
  dimensions: {
    provider: labelled('Who treated.'),
    branch: labelled('Where it was performed.'),
    treatment: labelled('The procedure of the catalog.'),
    treatment_category: labelled("The procedure's category."),
    // Its name is a text of one patient, as a rule.
    plan: labelled('The treatment plan that it is part of.', 'treatments:read'),
    patient: patientOf('Who was treated.', 'treatments:read'),
    patient_gender: column("The patient's gender.", 'patients:read'),
    patient_age_band: column(
      "The patient's age on the day of the query: 0-17, 18-29, 30-44, 45-64 or 65+.",
      'patients:read',
    ),
    effective_date: time('When it was performed.'),
    created_date: time('When it was recorded.'),
  },
  filters: {
    effective_date: dates,
    provider: ids,
    branch: ids,
    treatment: ids,
    treatment_category: ids,
  },
})
