// Cube's model of a clinic's treatments, for `cube.ts`: measures with the names of ours, in the currency's smallest unit.

// Cube replaces `CUBE` by itself only inside a call of `cube()`. Here it is the parameter of a function that Cube calls.
const idAndName = () => ({
  id: { type: 'string', sql: (CUBE) => `${CUBE}.id`, primaryKey: true, shown: true },
  name: { type: 'string', sql: (CUBE) => `${CUBE}.name` },
})

cube('treatments', {
  sql: `select * from public.treatment where clinic_id = 'bench' and removed_at is null`,
  // The shortest that there is: the comparison is of answers that are not cached.
  refresh_key: { every: '1 second' },
  joins: {
    provider: { relationship: 'many_to_one', sql: `${CUBE}.provider_id = ${provider}.id` },
    branch: { relationship: 'many_to_one', sql: `${CUBE}.branch_id = ${branch}.id` },
    treatment: { relationship: 'many_to_one', sql: `${CUBE}.catalog_treatment_id = ${treatment}.id` },
  },
  measures: {
    net_revenue: { type: 'sum', sql: `${CUBE}.price_minor - ${CUBE}.discount_minor` },
    gross_revenue: { type: 'sum', sql: `${CUBE}.price_minor` },
    avg_net_price: { type: 'avg', sql: `${CUBE}.price_minor - ${CUBE}.discount_minor` },
    treatment_count: { type: 'count' },
    quantity: { type: 'sum', sql: `${CUBE}.quantity` },
    patient_count: { type: 'countDistinct', sql: `${CUBE}.patient_id` },
  },
  dimensions: {
    id: { type: 'string', sql: `${CUBE}.id`, primaryKey: true },
    effective_date: { type: 'time', sql: `${CUBE}.effective_date` },
  },
})

cube('provider', {
  sql: `select * from public.provider where clinic_id = 'bench'`,
  dimensions: idAndName(),
})

cube('branch', {
  sql: `select * from public.branch where clinic_id = 'bench'`,
  dimensions: idAndName(),
})

cube('treatment', {
  sql: `select * from public.catalog_treatment where clinic_id = 'bench'`,
  joins: {
    treatment_category: { relationship: 'many_to_one', sql: `${CUBE}.category_id = ${treatment_category}.id` },
  },
  dimensions: idAndName(),
})

cube('treatment_category', {
  sql: `select * from public.treatment_category where clinic_id = 'bench'`,
  dimensions: idAndName(),
})
