// Appointments: of the clinic, of one patient, and one by id.
import { idFilter, one, operation, page, paging, period, responseFormat, updatedSince } from '../operation.ts'
import { Appointment, AppointmentDetailed } from '../resources/appointment.ts'
import { strictObject } from '../schema.ts'

const filters = {
  ...period('start'),
  branch_id: idFilter('branch'),
  provider_id: idFilter('provider'),
  status_id: idFilter('status'),
}

const unknownIds = { branch_id: 'empty', provider_id: 'empty', status_id: 'empty' } as const
const byStart = { by: 'start', kind: 'instant', direction: 'ascending' } as const

export const appointmentsList = operation({
  id: 'appointments.list',
  method: 'GET',
  path: '/v1/appointments',
  scope: 'appointments:read',
  tag: 'Appointments',
  summary: 'List appointments',
  description: 'By start, earliest first. Filters combine with AND.',
  query: strictObject({ ...filters, patient_id: idFilter('patient'), ...responseFormat, ...updatedSince, ...paging }),
  unknownIds: { ...unknownIds, patient_id: 'empty' },
  shape: 'page',
  order: byStart,
  untrustedText: false,
  output: page(Appointment),
  detailed: page(AppointmentDetailed),
  example: { query: { from: '2026-07-14', to: '2026-07-14', branch_id: 'haifa' } },
})

export const appointmentsGet = operation({
  id: 'appointments.get',
  method: 'GET',
  path: '/v1/appointments/{id}',
  scope: 'appointments:read',
  tag: 'Appointments',
  summary: 'One appointment',
  description: 'By id.',
  ids: { id: 'appointment' },
  shape: 'one',
  untrustedText: false,
  output: one(Appointment),
  example: { params: { id: 'a88012' } },
})

export const patientsAppointmentsList = operation({
  id: 'patients.appointments.list',
  method: 'GET',
  path: '/v1/patients/{id}/appointments',
  scope: 'appointments:read',
  tag: 'Appointments',
  summary: "A patient's appointments",
  description: 'By start, earliest first.',
  ids: { id: 'patient' },
  query: strictObject({ ...filters, ...updatedSince, ...paging }),
  unknownIds,
  shape: 'page',
  order: byStart,
  untrustedText: false,
  output: page(Appointment),
  example: { params: { id: 'p1042' } },
})
