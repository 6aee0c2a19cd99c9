// Lists the questions that clinics ask most, each with a name.
import type { Words } from '@clinic-data/console-words/en'
import { namedRange, type RangeName } from './days.ts'
import { type By, type Question, USUAL_LIMIT } from './question.ts'

export type StartName = keyof Words['explore']['start']

interface Start {
  dataset: string
  measures: readonly string[]
  by: readonly By[]
  range: RangeName
  order?: Question['order']
  limit?: number
}

const per = (field: string, grain: By['grain'] = null): By => ({ field, grain })
const most = (by: string): Question['order'] => ({ by, dir: 'desc' })

const starts: Readonly<Record<StartName, Start>> = {
  revenue_by_provider: {
    dataset: 'production',
    measures: ['net_revenue', 'patient_count'],
    by: [per('provider')],
    range: 'quarter',
    order: most('net_revenue'),
  },
  revenue_by_month: {
    dataset: 'production',
    measures: ['net_revenue'],
    by: [per('effective_date', 'month')],
    range: 'year',
  },
  appointments_by_week: {
    dataset: 'appointments',
    measures: ['appointment_count', 'cancelled_count', 'no_show_count'],
    by: [per('start_date', 'week')],
    range: 'quarter',
  },
  no_shows_by_branch: {
    dataset: 'appointments',
    measures: ['no_show_count', 'no_show_rate'],
    by: [per('branch')],
    range: 'quarter',
    order: most('no_show_count'),
  },
  booked_share: {
    dataset: 'utilization',
    measures: ['utilization_rate', 'booked_minutes', 'open_minutes'],
    by: [per('provider')],
    range: 'month',
    order: most('utilization_rate'),
  },
  busy_hours: {
    dataset: 'appointments',
    measures: ['appointment_count'],
    by: [per('hour_of_day')],
    range: 'month',
    order: { by: 'hour_of_day', dir: 'asc' },
  },
  payments_by_method: {
    dataset: 'payments',
    measures: ['amount_collected', 'payment_count'],
    by: [per('method')],
    range: 'month',
    order: most('amount_collected'),
  },
  new_patients: {
    dataset: 'patients',
    measures: ['patient_count'],
    by: [per('created_date', 'month')],
    range: 'year',
  },
  leads_by_source: {
    dataset: 'leads',
    measures: ['lead_count', 'converted_count', 'conversion_rate'],
    by: [per('source')],
    range: 'quarter',
    order: most('lead_count'),
  },
  missed_calls: {
    dataset: 'calls',
    measures: ['missed_count', 'call_count'],
    by: [per('hour_of_day')],
    range: 'month',
    order: { by: 'hour_of_day', dir: 'asc' },
  },
  top_procedures: {
    dataset: 'production',
    measures: ['treatment_count', 'net_revenue'],
    by: [per('treatment')],
    range: 'quarter',
    order: most('treatment_count'),
    limit: 10,
  },
  messages_by_week: {
    dataset: 'chat',
    measures: ['inbound_count', 'outbound_count'],
    by: [per('created_date', 'week')],
    range: 'quarter',
  },
}

export const STARTS = Object.keys(starts) as readonly StartName[]

/** @param now today in the clinic's zone */
export function startingQuestion(name: StartName, now: string): Question {
  const { range, order = null, limit = USUAL_LIMIT, ...start } = starts[name]
  return { ...start, ...namedRange(range, now), where: [], order, limit }
}
