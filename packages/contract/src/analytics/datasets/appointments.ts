// Dataset `appointments`: visits, their outcomes, and how long before they were made.
import { dataset, weekdays } from '../dataset.ts'

export const appointments = dataset({
  name: 'appointments',
  description:
    'Appointments by the day on which they begin. What became of one is told by the kind of its status (booked, confirmed, arrived, completed, cancelled, no_show).',
  requires_date_range: true,
  date_filter: 'start_date',
  cap: 2000,
  measures: {
    appointment_count: { kind: 'count', unit: 'count', description: 'Appointments, cancelled ones too.' },
    new_patient_count: {
      kind: 'count',
      unit: 'count',
      description: 'Appointments that are the first of their patient, cancelled ones apart.',
    },
    cancelled_count: { kind: 'count', unit: 'count', description: 'Cancelled appointments.' },
    no_show_count: { kind: 'count', unit: 'count', description: 'Appointments to which nobody came.' },
    completed_count: { kind: 'count', unit: 'count', description: 'Completed appointments.' },
    patient_count: {
      kind: 'count_distinct',
      unit: 'count',
      description: 'Patients who have an appointment, cancelled ones too.',
    },
    scheduled_minutes: {
      kind: 'sum',
      unit: 'minutes',
      description: 'Length of the appointments that were not cancelled.',
    },
    no_show_rate: {
      kind: 'ratio',
      unit: 'percent',
      description: 'No-shows of completed appointments and no-shows together; the show rate is 100 less that.',
    },
    cancellation_rate: { kind: 'ratio', unit: 'percent', description: 'Cancelled appointments of all.' },
    avg_lead_days: {
      kind: 'avg',
      unit: 'days',
      description: 'Days from making to beginning, of appointments that were not recorded after the day.',
    },
  },
  dimensions: {
    branch: { kind: 'column', description: 'Where.', labelled: true },
    provider: {
      kind: 'column',
      description: 'Who attends. An appointment with several providers counts for each, and once in the totals.',
      labelled: true,
    },
    type: { kind: 'column', description: 'The kind of visit.', labelled: true },
    status: { kind: 'column', description: "One of the clinic's own statuses.", labelled: true },
    weekday: { kind: 'column', description: 'Day of the week, 0 (Sunday) to 6.' },
    hour_of_day: { kind: 'column', description: 'The local hour at which it begins, 0 to 23.' },
    start_date: { kind: 'time', description: 'When it begins.' },
    created_date: { kind: 'time', description: 'When it was made.' },
  },
  filters: {
    start_date: { type: 'date' },
    branch: { type: 'id_list' },
    provider: { type: 'id_list' },
    type: { type: 'id_list' },
    status: { type: 'id_list' },
    weekday: { type: 'string_list', values: weekdays },
  },
})
