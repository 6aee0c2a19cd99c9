// Dataset `production`.
import { sql } from '@clinic-data/database'
import { ageBand } from '../age.ts'
import { type DatasetSql, joined } from '../dataset-sql.ts'
import { day, entity, entityOfPatients, filterBy, patientOf, word } from '../dimension-sql.ts'
import { type AmountSql, average, count, distinct, money, plain, sum } from '../measure-sql.ts'
import { CLINIC } from '../parameters.ts'

const patient = joined('patient', 'p', sql`t.patient_id`)
const definition = joined('catalog_treatment', 'd', sql`t.catalog_treatment_id`)
const net = (amount: AmountSql) => sql`${amount('price')} - ${amount('discount')}`

/** At most as many as a call may name (`MAX.patients`): a plan of more is a name that the clinic gives to many. */
const planPatients = sql`(select w.plan_id as id, (array_agg(distinct w.patient_id))[1:50] as patients from treatment w
  where w.clinic_id = ${CLINIC} and w.plan_id is not null and w.patient_id is not null group by w.plan_id)`

const dimensions: DatasetSql<'production'>['dimensions'] = {
  provider: entity(sql`t.provider_id`, 'provider'),
  branch: entity(sql`t.branch_id`, 'branch'),
  treatment: entity(sql`t.catalog_treatment_id`, 'catalog_treatment'),
  treatment_category: {
    ...entity(sql`t.catalog_treatment_id`, 'treatment_category'),
    fold: {
      value: () => sql`folded.category_id`,
      join: (id) => joined('catalog_treatment', 'folded', id),
    },
  },
  plan: entityOfPatients(sql`t.plan_id`, 'treatment_plan', planPatients),
  patient: patientOf(sql`t.patient_id`, patient),
  patient_gender: word(sql`p.gender`, patient),
  patient_age_band: word(ageBand(sql`p.birth_date`), patient),
  effective_date: day(sql`t.effective_date`),
  created_date: day(sql`t.created_date`),
}

export const production: DatasetSql<'production'> = {
  from: sql`treatment t`,
  where: sql`t.removed_at is null`,
  date: sql`t.effective_date`,
  measures: {
    // A treatment without a price is left out of every amount.
    net_revenue: money((of, unit) => sum(net(of), unit)),
    gross_revenue: money((of, unit) => sum(of('price'), unit)),
    discount_total: money((of, unit) => sum(of('discount'), unit, { only: sql`t.price_minor is not null` })),
    avg_net_price: money((of, unit) => average(net(of), unit)),
    treatment_count: count(),
    quantity: sum(sql`t.quantity`, plain),
    patient_count: distinct(sql`t.patient_id`),
  },
  dimensions,
  filters: {
    provider: filterBy(dimensions.provider),
    branch: filterBy(dimensions.branch),
    treatment: filterBy(dimensions.treatment),
    treatment_category: { sql: sql`d.category_id`, type: 'text', joins: [definition] },
  },
}
