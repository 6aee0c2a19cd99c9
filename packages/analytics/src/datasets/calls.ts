// Dataset `calls`.
import { sql } from '@clinic-data/database'
import type { DatasetSql } from '../dataset-sql.ts'
import { day, entity, filterBy, hourOfDay, weekday, word } from '../dimension-sql.ts'
import { average, count, distinct, plain, ratio, sum } from '../measure-sql.ts'

const isInbound = sql`t.direction = 'inbound'`
const isAnswered = sql`t.status = 'answered'`

const dimensions: DatasetSql<'calls'>['dimensions'] = {
  direction: word(sql`t.direction`),
  outcome: word(sql`t.status`),
  branch: entity(sql`t.branch_id`, 'branch'),
  // The telephone system sends the agent's name with each call.
  agent: { ...word(sql`t.handled_by_id`), label: { sql: sql`t.handled_by_name` } },
  transcript_status: word(sql`t.transcript_status`),
  weekday: weekday(sql`t.started_date`),
  hour_of_day: hourOfDay(sql`t.started_at`),
  started_date: day(sql`t.started_date`),
}

export const calls: DatasetSql<'calls'> = {
  from: sql`call t`,
  date: sql`t.started_date`,
  measures: {
    call_count: count(),
    answered_count: count({ only: isAnswered }),
    missed_count: count({ only: sql`t.status = 'missed'` }),
    recorded_count: count({ only: sql`t.has_recording` }),
    transcribed_count: count({ only: sql`t.transcript_status = 'completed'` }),
    answer_rate: ratio(sql`t.direction = 'inbound' and t.status = 'answered'`, isInbound),
    talk_time: sum(sql`t.duration_seconds`, plain),
    avg_talk_time: average(sql`t.duration_seconds`, plain, { only: isAnswered }),
    avg_wait_time: average(sql`t.ring_seconds`, plain, { only: isInbound }),
    caller_count: distinct(sql`case when t.direction = 'inbound' then t.patient_phone end`),
  },
  dimensions,
  filters: {
    direction: filterBy(dimensions.direction),
    outcome: filterBy(dimensions.outcome),
    branch: filterBy(dimensions.branch),
    agent: filterBy(dimensions.agent),
  },
}
