// Appointments, as the clinic's own system tells of them.
import { changeAppointments } from '../changes/appointments.ts'
import { AppointmentRecord, checkAppointment } from '../records/appointments.ts'
import { ingestOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'
import { storeRecords } from './store-records.ts'

export const appointmentOperations = [
  ingestOperation({
    id: 'appointments.store',
    path: '/appointments',
    tag: 'Appointments',
    summary: 'Store appointments',
    description:
      'Fires `appointment.created`; `appointment.cancelled` when the status becomes one that means cancelled; else `appointment.updated`.',
    record: sentForm(AppointmentRecord),
    references: {
      patient_id: 'patient',
      branch_id: 'branch',
      type_id: 'appointment_type',
      status_id: 'appointment_status',
      provider_ids: 'provider',
    },
    example: { id: 'a7001', patient_id: 'p1042', status_id: 'booked', provider_ids: ['dr1'] },
    apply: storeRecords<AppointmentRecord>({ check: checkAppointment, change: changeAppointments }),
  }),
]
