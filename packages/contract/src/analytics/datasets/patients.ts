// Dataset `patients`: who the clinic's patients are.
import { ageBands, dataset } from '../dataset.ts'

export const patients = dataset({
  name: 'patients',
  description: 'Patients by the day on which they were recorded. Ages are those on the day of the question.',
  requires_date_range: false,
  date_filter: 'created_date',
  cap: 1000,
  measures: {
    patient_count: { kind: 'count', unit: 'count', description: 'Patients.' },
    with_phone_count: { kind: 'count', unit: 'count', description: 'Patients who have a phone.' },
    with_email_count: { kind: 'count', unit: 'count', description: 'Patients who have an email.' },
    avg_age: {
      kind: 'avg',
      unit: 'years',
      description: 'Age in whole years, of those whose birth date is known.',
      requires_scope: 'patients:read',
    },
  },
  dimensions: {
    status: {
      kind: 'column',
      description: "One of the clinic's own statuses.",
      labelled: true,
      requires_scope: 'patients:read',
    },
    gender: { kind: 'column', description: 'Gender.', requires_scope: 'patients:read' },
    age_band: {
      kind: 'column',
      description: 'Age: 0-17, 18-29, 30-44, 45-64 or 65+.',
      requires_scope: 'patients:read',
    },
    created_date: { kind: 'time', description: 'When the patient was recorded.' },
  },
  filters: {
    created_date: { type: 'date' },
    status: { type: 'id_list' },
    gender: { type: 'string_list', values: ['male', 'female'] },
    age_band: { type: 'string_list', values: ageBands },
  },
})
