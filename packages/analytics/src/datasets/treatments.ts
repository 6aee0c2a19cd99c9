// Dataset `treatments`.
import { sql } from '@clinic-data/database'
import type { DatasetSql } from '../dataset-sql.ts'
import { day, entity, filterBy } from '../dimension-sql.ts'
import { count, money, sum } from '../measure-sql.ts'

const dimensions: DatasetSql<'treatments'>['dimensions'] = {
  provider: entity(sql`t.provider_id`, 'provider'),
  effective_date: day(sql`t.effective_date`),
}

export const treatments: DatasetSql<'treatments'> = {
  from: sql`treatment t`,
  where: sql`t.removed_at is null`,
  date: sql`t.effective_date`,
  measures: {
    // A treatment without a price is left out of every amount.
    net_revenue: money((of, unit) => sum(sql`${of('price')} - ${of('discount')}`, unit)),
    treatment_count: count(),
  },
  dimensions,
  filters: { provider: filterBy(dimensions.provider) },
}
