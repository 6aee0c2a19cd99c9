// Appointments: of the clinic, of one patient, and one by id.
import { askedFormat, idFilter, paging, period, responseFormat, updatedSince } from '../list-parameters.ts'
import { answersOne, answersPage, operation, reading } from '../operation.ts'
import { Appointment, AppointmentDetailed } from '../resources/appointment.ts'
import { strictObject } from '../schema/schema.ts'

const filters = {
  ...period('start'),
  branch_id: idFilter('branch'),
  provider_id: idFilter('provider'),
  status_id: idFilter('status'),
}

const unknownIds = { branch_id: 'empty', provider_id: 'empty', status_id: 'empty' } as const
const byStart = { by: 'start', kind: 'instant', direction: 'ascending' } as const

const addedForm = askedFormat('`detailed` adds `note` and `cancelled_at`.')

const read = reading({ scope: 'appointments:read', tag: 'Appointments', untrustedText: false, patients: 'patient' })

export const appointmentsList = operation({
  ...read('appointments.list', '/v1/appointments'),
  summary: 'List appointments',
  description: 'Sorted by `start`, earliest first. Filters combine with AND.',
  query: strictObject({ ...filters, patient_id: idFilter('patient'), ...responseFormat, ...updatedSince, ...paging }),
  unknownIds: { ...unknownIds, patient_id: 'empty' },
  ...answersPage(Appointment, byStart, AppointmentDetailed),
  example: { query: { from: '2026-07-14', to: '2026-07-14', branch_id: 'haifa' } },
})

export const appointmentsGet = operation({
  ...read('appointments.get', '/v1/appointments/{id}'),
  summary: 'One appointment',
  description: 'By id.',
  ids: { id: 'appointment' },
  query: strictObject(addedForm),
  ...answersOne(Appointment, AppointmentDetailed),
})

export const patientsAppointmentsList = operation({
  ...read('patients.appointments.list', '/v1/patients/{id}/appointments'),
  summary: "A patient's appointments",
  description: 'Sorted by `start`, earliest first.',
  ids: { id: 'patient' },
  query: strictObject({ ...filters, ...addedForm, ...updatedSince, ...paging }),
  unknownIds,
  ...answersPage(Appointment, byStart, AppointmentDetailed),
})
