// Dataset `utilization`.
import { sql } from '@clinic-data/database'
import type { DatasetSql } from '../dataset-sql.ts'
import { day, entity, filterBy, weekday } from '../dimension-sql.ts'
import { percentOf, secondsAsMinutes, sum } from '../measure-sql.ts'
import { workingTime } from '../working-time.ts'

const dimensions: DatasetSql<'utilization'>['dimensions'] = {
  provider: entity(sql`t.provider_id`, 'provider'),
  branch: entity(sql`t.branch_id`, 'branch'),
  weekday: weekday(sql`t.work_date`),
  work_date: day(sql`t.work_date`),
}

export const utilization: DatasetSql<'utilization'> = {
  from: workingTime,
  date: sql`t.work_date`,
  measures: {
    open_minutes: sum(sql`t.open_seconds`, secondsAsMinutes),
    booked_minutes: sum(sql`t.booked_seconds`, secondsAsMinutes),
    free_minutes: sum(sql`t.open_seconds - t.booked_seconds`, secondsAsMinutes),
    utilization_rate: percentOf({ sql: sql`sum(t.booked_seconds)` }, { sql: sql`sum(t.open_seconds)` }),
  },
  dimensions,
  filters: { provider: filterBy(dimensions.provider), branch: filterBy(dimensions.branch) },
}
