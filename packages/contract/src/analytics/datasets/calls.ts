// Dataset `calls`: who called, whether somebody answered, and how long it took.
import { callDirections, callStatuses } from '../../resources/call.ts'
import { dataset } from '../dataset.ts'
import { column, labelled, time } from '../dimensions.ts'
import { dates, ids, strings } from '../filters.ts'
import { average, count, distinct, ratio, sum } from '../measures.ts'

export const calls = dataset({
  name: 'calls',
  description: 'Phone calls by the day on which they began.',
  requires_date_range: true,
  date_filter: 'started_date',
  cap: 2000,
  measures: {
    call_count: count('Calls.'),
    answered_count: count('Answered calls, in both directions.'),
    missed_count: count('Missed calls.'),
    recorded_count: count('Calls that have a recording.'),
    transcribed_count: count('Calls that have a transcript.'),
    answer_rate: ratio('The share of answered calls among inbound calls.'),
    talk_time: sum('seconds', 'Time spent talking.'),
    avg_talk_time: average('seconds', 'Time spent talking per answered call.'),
    avg_wait_time: average('seconds', 'Ringing time per inbound call.'),
    caller_count: distinct('Numbers that called the clinic.'),
  },
  dimensions: {
    direction: column('Inbound or outbound.'),
    outcome: column('How the call ended: its `status`.'),
    branch: labelled('The branch whose phone it was.'),
    agent: labelled('The member of staff who handled it.'),
    transcript_status: column('Null until there is an outcome.'),
    weekday: column('Day of the week, 0 (Sunday) to 6.'),
    hour_of_day: column('The local hour at which it began, 0 to 23.'),
    started_date: time('When it began.'),
  },
  filters: {
    started_date: dates,
    direction: strings(callDirections),
    outcome: strings(callStatuses),
    branch: ids,
    agent: ids,
  },
})
