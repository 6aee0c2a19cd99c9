// Dataset `utilization`: how much of the providers' working time is booked.
import { dataset } from '../dataset.ts'

export const utilization = dataset({
  name: 'utilization',
  description:
    "Providers' working hours day by day, by the rules of availability, past days too: what is open, and what of it appointments take.",
  requires_date_range: true,
  date_filter: 'work_date',
  cap: 2000,
  measures: {
    open_minutes: { kind: 'sum', unit: 'minutes', description: 'Working hours less breaks and time off.' },
    booked_minutes: {
      kind: 'sum',
      unit: 'minutes',
      description: "Open time that the provider's appointments take, at whichever branch; cancelled ones apart.",
    },
    free_minutes: { kind: 'sum', unit: 'minutes', description: 'Open time that nothing takes.' },
    utilization_rate: { kind: 'ratio', unit: 'percent', description: 'Booked time of open time.' },
  },
  dimensions: {
    provider: { kind: 'column', description: 'Who works.', labelled: true },
    branch: { kind: 'column', description: 'Where.', labelled: true },
    weekday: { kind: 'column', description: 'Day of the week, 0 (Sunday) to 6.' },
    work_date: { kind: 'time', description: 'The day.' },
  },
  filters: { work_date: { type: 'date' }, provider: { type: 'id_list' }, branch: { type: 'id_list' } },
})
