// Dataset `patients`.
import { sql } from '@clinic-data/database'
import { age, ageBand } from '../age.ts'
import type { DatasetSql } from '../dataset-sql.ts'
import { day, entity, filterBy, word } from '../dimension-sql.ts'
import { average, count, plain } from '../measure-sql.ts'

const dimensions: DatasetSql<'patients'>['dimensions'] = {
  status: entity(sql`t.status_id`, 'patient_status'),
  gender: word(sql`t.gender`),
  age_band: word(ageBand(sql`t.birth_date`)),
  created_date: day(sql`t.created_date`),
}

export const patients: DatasetSql<'patients'> = {
  from: sql`patient t`,
  date: sql`t.created_date`,
  measures: {
    patient_count: count(),
    with_phone_count: count({ only: sql`t.phone is not null` }),
    with_email_count: count({ only: sql`t.email is not null` }),
    avg_age: average(age(sql`t.birth_date`), plain),
  },
  dimensions,
  filters: {
    status: filterBy(dimensions.status),
    gender: filterBy(dimensions.gender),
    age_band: filterBy(dimensions.age_band),
  },
}
