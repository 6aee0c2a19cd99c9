// Dataset `chat`.
import { sql } from '@clinic-data/database'
import type { DatasetSql } from '../dataset-sql.ts'
import { day, filterBy, hourOfDay, word } from '../dimension-sql.ts'
import { count, distinct, ratio } from '../measure-sql.ts'

const isDelivered = sql`t.status in ('delivered', 'read')`
const isRead = sql`t.status = 'read'`
/** Messages still in the queue are left out, because they could not have arrived yet. */
const isSent = sql`t.direction = 'outbound' and t.status <> 'queued'`

const dimensions: DatasetSql<'chat'>['dimensions'] = {
  direction: word(sql`t.direction`),
  type: word(sql`t.type`),
  status: word(sql`t.status`),
  template: word(sql`t.template`),
  hour_of_day: hourOfDay(sql`t.created_at`),
  created_date: day(sql`t.created_date`),
}

export const chat: DatasetSql<'chat'> = {
  from: sql`chat_message t`,
  date: sql`t.created_date`,
  measures: {
    message_count: count(),
    inbound_count: count({ only: sql`t.direction = 'inbound'` }),
    outbound_count: count({ only: sql`t.direction = 'outbound'` }),
    delivered_count: count({ only: isDelivered }),
    read_count: count({ only: isRead }),
    failed_count: count({ only: sql`t.status = 'failed'` }),
    conversation_count: distinct(sql`t.conversation_id`),
    delivery_rate: ratio(isDelivered, isSent),
    read_rate: ratio(isRead, isSent),
  },
  dimensions,
  filters: {
    direction: filterBy(dimensions.direction),
    type: filterBy(dimensions.type),
    status: filterBy(dimensions.status),
    template: filterBy(dimensions.template),
  },
}
