// Appointments, as the clinic's own system reports them.

import { type Cancellation, cancelAppointments, changeAppointments } from '@clinic-data/changes/appointments'
import { Id, nullable, strictObject } from '@clinic-data/contract/schema'
import { appointmentKind } from '@clinic-data/records/appointments'
import { RecordedInstant } from '@clinic-data/records/storing/record-schema'
import { recordsOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'
import { ofKind, storeRecords } from './store-records.ts'

export const appointmentOperations = [
  recordsOperation({
    id: 'appointments.store',
    ofPatients: 'appointment',
    path: '/appointments',
    tag: 'Appointments',
    summary: 'Store appointments',
    description:
      'Fires `appointment.created` for a new appointment, `appointment.cancelled` if the status changes to one that means cancelled, and otherwise `appointment.updated`.',
    ...ofKind(appointmentKind, { change: changeAppointments }),
    example: {
      id: 'a7001',
      patient_id: 'p1042',
      branch_id: 'b1',
      type_id: 'checkup',
      status_id: 'booked',
      provider_ids: ['dr1'],
      start: '2026-07-14T09:00:00+03:00',
      end: '2026-07-14T09:30:00+03:00',
    },
  }),
  recordsOperation({
    id: 'appointments.cancel',
    ofPatients: 'appointment',
    path: '/appointments/cancel',
    tag: 'Appointments',
    summary: 'Cancel appointments',
    description:
      'For a system that knows nothing but that an appointment was cancelled. If it is cancelled already, the outcome is `unchanged`. Fires `appointment.cancelled`.',
    record: sentForm(
      strictObject({
        id: Id,
        cancelled_at: nullable(RecordedInstant, { description: 'Default: the time of storing.' }),
        status_id: nullable(Id, {
          description: 'A status of kind `cancelled`. Default: the first one that is enabled, by id.',
        }),
      }),
    ),
    references: { id: 'appointment', status_id: 'appointment_status' },
    becomes: 'updated',
    example: { id: 'a7001', cancelled_at: '2026-07-13T18:20:00+03:00' },
    apply: storeRecords<Cancellation>({ dated: false, change: cancelAppointments }),
  }),
]
