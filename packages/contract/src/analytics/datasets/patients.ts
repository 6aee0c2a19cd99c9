// Dataset `patients`: who the clinic's patients are.
import { ageBands, dataset } from '../dataset.ts'
import { column, labelled, time } from '../dimensions.ts'
import { dates, ids, strings } from '../filters.ts'
import { average, count } from '../measures.ts'

export const patients = dataset({
  name: 'patients',
  description: 'Patients by the day on which they were recorded. Ages are as of the day of the query.',
  requires_date_range: false,
  date_filter: 'created_date',
  cap: 1000,
  measures: {
    patient_count: count('Patients.'),
    with_phone_count: count('Patients who have a phone.'),
    with_email_count: count('Patients who have an email.'),
    avg_age: average('years', 'Age in whole years, over patients whose birth date is known.', 'patients:read'),
  },
  dimensions: {
    status: labelled("One of the clinic's own statuses.", 'patients:read'),
    gender: column('Gender.', 'patients:read'),
    age_band: column('Age: 0-17, 18-29, 30-44, 45-64 or 65+.', 'patients:read'),
    created_date: time('When the patient was recorded.'),
  },
  filters: {
    created_date: dates,
    status: ids,
    gender: strings(['male', 'female']),
    age_band: strings(ageBands),
  },
})
