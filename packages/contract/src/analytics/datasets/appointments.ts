// Dataset `appointments`: visits, their outcomes, and how long before they were made.
import { dataset, weekdays } from '../dataset.ts'
import { column, labelled, patientOf, time } from '../dimensions.ts'
import { dates, ids, strings } from '../filters.ts'
import { average, count, distinct, ratio, sum } from '../measures.ts'

export const appointments = dataset({
  name: 'appointments',
  description:
    'Appointments by the day on which they begin. The kind of its status says what became of an appointment (booked, confirmed, arrived, completed, cancelled, no_show).',
  requires_date_range: true,
  date_filter: 'start_date',
  cap: 2000,
  measures: {
    appointment_count: count('Appointments, cancelled ones too.'),
    new_patient_count: count('First appointments of a patient, without cancelled ones.'),
    cancelled_count: count('Cancelled appointments.'),
    no_show_count: count('Appointments to which nobody came.'),
    completed_count: count('Completed appointments.'),
    patient_count: distinct('Patients who have an appointment, cancelled ones too.'),
    scheduled_minutes: sum('minutes', 'Length of the appointments that were not cancelled.'),
    no_show_rate: ratio(
      'The share of no-shows among no-shows and completed appointments. The show rate is 100 minus this.',
    ),
    cancellation_rate: ratio('The share of cancelled appointments among all.'),
    avg_lead_days: average(
      'days',
      'Days from booking to the visit. Leaves out appointments that were recorded after their day.',
    ),
  },
  dimensions: {
    branch: labelled('Where the visit takes place.'),
    provider: labelled(
      'Who treats. An appointment with several providers counts for each of them, but only once in the totals.',
    ),
    type: labelled('The kind of visit.'),
    status: labelled("One of the clinic's own statuses."),
    patient: patientOf('Whose appointment it is.', 'appointments:read'),
    weekday: column('Day of the week, 0 (Sunday) to 6.'),
    hour_of_day: column('The local hour at which it begins, 0 to 23.'),
    start_date: time('When it begins.'),
    created_date: time('When it was made.'),
  },
  filters: {
    start_date: dates,
    branch: ids,
    provider: ids,
    type: ids,
    status: ids,
    weekday: strings(weekdays),
  },
})
