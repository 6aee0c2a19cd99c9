// Dataset `utilization`: how much of the providers' working time is booked.
import { dataset } from '../dataset.ts'
import { column, labelled, time } from '../dimensions.ts'
import { dates, ids } from '../filters.ts'
import { ratio, sum } from '../measures.ts'

export const utilization = dataset({
  name: 'utilization',
  description:
    "Providers' working hours per day, by the rules of availability, past days included: how much time is open, and how much of it appointments take.",
  requires_date_range: true,
  date_filter: 'work_date',
  cap: 2000,
  measures: {
    open_minutes: sum('minutes', 'Working hours less breaks and time off.'),
    booked_minutes: sum(
      'minutes',
      "Open time that the provider's appointments take, at any branch, without cancelled ones.",
    ),
    free_minutes: sum('minutes', 'Open time that nothing takes.'),
    utilization_rate: ratio('The share of booked time in open time.'),
  },
  dimensions: {
    provider: labelled('Who works.'),
    branch: labelled('Where the provider works.'),
    weekday: column('Day of the week, 0 (Sunday) to 6.'),
    work_date: time('The day.'),
  },
  filters: { work_date: dates, provider: ids, branch: ids },
})
