// Ten typical questions about a clinic's treatments, each with the best SQL that its author knows for the same rows and totals.

export interface BenchQuestion {
  name: string
  body: { dataset: string; measures: string[]; [field: string]: unknown }
  /** The SQL, for a clinic's id. */
  best: string
  /** The column of the first measure's total. */
  total: string
}

const range = (field: string, from: string, to: string) => ({ field, op: 'between', value: [from, to] })
const years = range('effective_date', '2021-01-01', '2025-12-31')
const year = range('effective_date', '2025-01-01', '2025-12-31')
const month = range('effective_date', '2025-03-01', '2025-03-31')
const at = (grain: string) => ({ field: 'effective_date', grain })

export function questions(clinic: string): BenchQuestion[] {
  const from = (more = '') => `from treatment t ${more} where t.clinic_id = '${clinic}' and t.removed_at is null`
  const between = ({ value: [first, last] }: typeof years) => `and t.effective_date between '${first}' and '${last}'`
  const net = 'sum(t.price_minor - t.discount_minor)'
  const named = (table: string, rows: string, order: string) =>
    `select r.*, e.name from (${rows}) r left join ${table} e on e.clinic_id = '${clinic}' and e.id = r.key order by ${order}`
  return [
    {
      name: 'net revenue by provider and month, five years',
      body: {
        dataset: 'treatments',
        measures: ['net_revenue'],
        dimensions: ['provider', at('month')],
        filters: [years],
      },
      best: named(
        'provider',
        `select key, date_trunc('month', day::timestamp)::date as month, sum(net) / 100.0 as net, sum(sum(net)) over () / 100.0 as total,
          count(*) over () as groups
        from (select t.provider_id as key, t.effective_date as day, ${net} as net ${from()} ${between(years)} group by 1, 2) d
        group by 1, 2 order by month, key limit 1000`,
        'month, key',
      ),
      total: 'total',
    },
    {
      name: 'net revenue and count by day, five years',
      body: {
        dataset: 'treatments',
        measures: ['net_revenue', 'treatment_count'],
        dimensions: ['effective_date'],
        filters: [years],
      },
      best: `select t.effective_date as day, ${net} / 100.0 as net, count(*) as n, sum(${net}) over () / 100.0 as total,
          sum(count(*)) over () as total_n, count(*) over () as groups
        ${from()} ${between(years)} group by 1 order by 1 limit 1000`,
      total: 'total',
    },
    {
      name: 'net revenue, five years',
      body: { dataset: 'treatments', measures: ['net_revenue'], filters: [years] },
      best: `select ${net} / 100.0 as total ${from()} ${between(years)}`,
      total: 'total',
    },
    {
      name: 'net revenue by week, one year',
      body: { dataset: 'treatments', measures: ['net_revenue'], dimensions: [at('week')], filters: [year] },
      best: `select day - ((day - date '1900-01-07') % 7) as week, sum(net) / 100.0 as net, sum(sum(net)) over () / 100.0 as total,
          count(*) over () as groups
        from (select t.effective_date as day, ${net} as net ${from()} ${between(year)} group by 1) d group by 1 order by 1 limit 1000`,
      total: 'total',
    },
    {
      name: 'net revenue by provider, one month',
      body: { dataset: 'treatments', measures: ['net_revenue'], dimensions: ['provider'], filters: [month] },
      best: named(
        'provider',
        `select t.provider_id as key, ${net} / 100.0 as net, sum(${net}) over () / 100.0 as total, count(*) over () as groups
        ${from()} ${between(month)} group by 1 order by net desc, key limit 1000`,
        'net desc, key',
      ),
      total: 'total',
    },
    {
      name: 'net, gross and average price by branch and quarter, five years',
      body: {
        dataset: 'production',
        measures: ['net_revenue', 'gross_revenue', 'avg_net_price'],
        dimensions: ['branch', at('quarter')],
        filters: [years],
      },
      best: named(
        'branch',
        `select key, date_trunc('quarter', day::timestamp)::date as quarter, sum(net) / 100.0 as net, sum(gross) / 100.0 as gross,
          round(sum(net) / 100.0 / sum(n), 2) as average, sum(sum(net)) over () / 100.0 as total,
          sum(sum(gross)) over () / 100.0 as total_gross, round(sum(sum(net)) over () / 100.0 / sum(sum(n)) over (), 2) as total_average,
          count(*) over () as groups
        from (select t.branch_id as key, t.effective_date as day, ${net} as net, sum(t.price_minor) as gross, count(t.price_minor) as n
          ${from()} ${between(years)} group by 1, 2) d
        group by 1, 2 order by quarter, key limit 2000`,
        'quarter, key',
      ),
      total: 'total',
    },
    {
      name: 'patients by month, one year',
      body: { dataset: 'production', measures: ['patient_count'], dimensions: [at('month')], filters: [year] },
      best: `with d as materialized (select date_trunc('month', t.effective_date::timestamp)::date as month, t.patient_id
          ${from()} ${between(year)} group by 1, 2)
        select month, count(patient_id) as patients, (select count(*) from (select from d group by patient_id) p) as total,
          count(*) over () as groups from d group by 1 order by 1 limit 2000`,
      total: 'total',
    },
    {
      name: 'net revenue and units by category, five years',
      body: {
        dataset: 'production',
        measures: ['net_revenue', 'quantity'],
        dimensions: ['treatment_category'],
        filters: [years],
      },
      best: named(
        'treatment_category',
        `select c.category_id as key, sum(net) / 100.0 as net, sum(units) as units, sum(sum(net)) over () / 100.0 as total,
          sum(sum(units)) over () as total_units, count(*) over () as groups
        from (select t.catalog_treatment_id as id, ${net} as net, sum(t.quantity) as units ${from()} ${between(years)} group by 1) d
          left join catalog_treatment c on c.clinic_id = '${clinic}' and c.id = d.id
        group by 1 order by net desc, key limit 2000`,
        'net desc, key',
      ),
      total: 'total',
    },
    {
      name: 'ten best procedures of two providers, one year',
      body: {
        dataset: 'production',
        measures: ['net_revenue'],
        dimensions: ['treatment'],
        filters: [year, { field: 'provider', op: 'in', value: ['provider-3', 'provider-4'] }],
        limit: 10,
      },
      best: named(
        'catalog_treatment',
        `select t.catalog_treatment_id as key, ${net} / 100.0 as net, sum(${net}) over () / 100.0 as total, count(*) over () as groups
        ${from()} ${between(year)} and t.provider_id in ('provider-3', 'provider-4') group by 1 order by net desc, key limit 10`,
        'net desc, key',
      ),
      total: 'total',
    },
    {
      name: 'net revenue by age band of the patient, one year',
      body: { dataset: 'production', measures: ['net_revenue'], dimensions: ['patient_age_band'], filters: [year] },
      best: `select case when p.birth_date > current_date - interval '18 years' then '0-17'
            when p.birth_date > current_date - interval '30 years' then '18-29'
            when p.birth_date > current_date - interval '45 years' then '30-44'
            when p.birth_date > current_date - interval '65 years' then '45-64' when p.birth_date is not null then '65+' end as band,
          ${net} / 100.0 as net, sum(${net}) over () / 100.0 as total, count(*) over () as groups
        ${from(`left join patient p on p.clinic_id = '${clinic}' and p.id = t.patient_id`)} ${between(year)}
        group by 1 order by net desc, band limit 2000`,
      total: 'total',
    },
  ]
}
