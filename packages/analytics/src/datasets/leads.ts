// Dataset `leads`.
import { sql } from '@clinic-data/database'
import type { DatasetSql } from '../dataset-sql.ts'
import { day, filterBy, word } from '../dimension-sql.ts'
import { average, count, millisecondsAsDays, ratio } from '../measure-sql.ts'

const isConverted = sql`t.status = 'converted'`

const dimensions: DatasetSql<'leads'>['dimensions'] = {
  source: word(sql`t.source`),
  status: word(sql`t.status`),
  utm_source: word(sql`t.attribution ->> 'utm_source'`),
  utm_medium: word(sql`t.attribution ->> 'utm_medium'`),
  utm_campaign: word(sql`t.attribution ->> 'utm_campaign'`),
  campaign_name: word(sql`t.attribution ->> 'campaign_name'`),
  created_date: day(sql`t.created_date`),
}

export const leads: DatasetSql<'leads'> = {
  from: sql`lead t`,
  date: sql`t.created_date`,
  measures: {
    lead_count: count(),
    converted_count: count({ only: isConverted }),
    lost_count: count({ only: sql`t.status = 'lost'` }),
    conversion_rate: ratio(isConverted, sql`true`),
    // Leaves out leads whose recorded conversion is earlier than the lead itself.
    avg_days_to_convert: average(
      sql`(extract(epoch from t.converted_at - t.created_at) * 1000)::bigint`,
      millisecondsAsDays,
      {
        only: sql`t.status = 'converted' and t.converted_at >= t.created_at`,
      },
    ),
  },
  dimensions,
  filters: {
    source: filterBy(dimensions.source),
    status: filterBy(dimensions.status),
    utm_source: filterBy(dimensions.utm_source),
    utm_medium: filterBy(dimensions.utm_medium),
    utm_campaign: filterBy(dimensions.utm_campaign),
  },
}
