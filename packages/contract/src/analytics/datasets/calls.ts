// Dataset `calls`: who called, whether somebody answered, and how long it took.
import { callDirections, callStatuses } from '../../resources/call.ts'
import { dataset } from '../dataset.ts'

export const calls = dataset({
  name: 'calls',
  description: 'Phone calls by the day on which they began.',
  requires_date_range: true,
  date_filter: 'started_date',
  cap: 2000,
  measures: {
    call_count: { kind: 'count', unit: 'count', description: 'Calls.' },
    answered_count: { kind: 'count', unit: 'count', description: 'Answered calls, in both directions.' },
    missed_count: { kind: 'count', unit: 'count', description: 'Missed calls.' },
    recorded_count: { kind: 'count', unit: 'count', description: 'Calls that have a recording.' },
    transcribed_count: { kind: 'count', unit: 'count', description: 'Calls that have a transcript.' },
    answer_rate: { kind: 'ratio', unit: 'percent', description: 'Answered inbound calls of all inbound calls.' },
    talk_time: { kind: 'sum', unit: 'seconds', description: 'Time spent talking.' },
    avg_talk_time: { kind: 'avg', unit: 'seconds', description: 'Time spent talking, an answered call.' },
    avg_wait_time: { kind: 'avg', unit: 'seconds', description: 'Time that it rang, an inbound call.' },
    caller_count: { kind: 'count_distinct', unit: 'count', description: 'Numbers that called the clinic.' },
  },
  dimensions: {
    direction: { kind: 'column', description: 'Inbound or outbound.' },
    outcome: { kind: 'column', description: 'How the call ended: its `status`.' },
    branch: { kind: 'column', description: 'Where.', labelled: true },
    agent: { kind: 'column', description: 'Who of the staff handled it.', labelled: true },
    transcript_status: { kind: 'column', description: 'Null until there is an outcome.' },
    weekday: { kind: 'column', description: 'Day of the week, 0 (Sunday) to 6.' },
    hour_of_day: { kind: 'column', description: 'The local hour at which it began, 0 to 23.' },
    started_date: { kind: 'time', description: 'When it began.' },
  },
  filters: {
    started_date: { type: 'date' },
    direction: { type: 'string_list', values: callDirections },
    outcome: { type: 'string_list', values: callStatuses },
    branch: { type: 'id_list' },
    agent: { type: 'id_list' },
  },
})
