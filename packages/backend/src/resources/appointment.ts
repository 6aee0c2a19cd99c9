// Appointment: its columns, and the row as the contract's resource, concise or detailed.
import type { Clinic } from '@clinic-data/contract'
import type { Appointment, AppointmentDetailed } from '@clinic-data/contract/resources/appointment'
import type { Static } from '@clinic-data/contract/schema'
import { instant, type Statement, sql, wholeSecond } from '@clinic-data/database'
import { catalogEntry, lookUp } from './look-up.ts'
import { type Reference, renderReference } from './named-reference.ts'
import { type PatientSummaryColumns, patientSummaryColumns, renderPatientSummary } from './patient-summary.ts'

export interface AppointmentRow extends PatientSummaryColumns {
  id: string
  branch_id: string | null
  branch_name: string | null
  type_id: string | null
  type_name: string | null
  type_duration_minutes: number | null
  status_id: string | null
  status_name: string | null
  status_color: string | null
  providers: Reference[] | null
  start: string | null
  end: string | null
  note: string | null
  cancelled_at: string | null
  created_at: string
  updated_at: string
}

/** Of the relation `a` (rows of `appointment`), with `appointmentJoins`. */
export function appointmentColumns({ clinic_id }: Clinic): Statement {
  return sql`a.id, ${patientSummaryColumns}, branch.id as branch_id, branch.name as branch_name,
    type.id as type_id, type.name as type_name, type.duration_minutes as type_duration_minutes,
    status.id as status_id, status.name as status_name, status.color as status_color,
    (select json_agg(json_build_object('id', r.id, 'name', r.name) order by ap.position)
      from appointment_provider ap join provider r on r.clinic_id = ${clinic_id} and r.id = ap.provider_id
      where ap.clinic_id = ${clinic_id} and ap.appointment_id = a.id) as providers,
    a.start, a."end", a.note, a.cancelled_at, a.created_at, a.updated_at`
}

export function appointmentJoins({ clinic_id }: Clinic): Statement {
  return sql`${lookUp('patient', clinic_id, sql`a.patient_id`)}
    ${catalogEntry('branch', clinic_id, sql`a.branch_id`)}
    ${catalogEntry('appointment_type', clinic_id, sql`a.type_id`, 'type')}
    ${catalogEntry('appointment_status', clinic_id, sql`a.status_id`, 'status')}`
}

export function renderAppointment(row: AppointmentRow): Static<typeof Appointment> {
  const { type_id, type_name, type_duration_minutes, status_id, status_name, status_color } = row
  return {
    id: row.id,
    patient: renderPatientSummary(row),
    branch: renderReference(row.branch_id, row.branch_name),
    type:
      type_id === null || type_name === null || type_duration_minutes === null
        ? null
        : { id: type_id, name: type_name, duration_minutes: type_duration_minutes },
    status:
      status_id === null || status_name === null || status_color === null
        ? null
        : { id: status_id, name: status_name, color: status_color },
    providers: row.providers ?? [],
    start: wholeSecond(row.start),
    end: wholeSecond(row.end),
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  }
}

export function renderAppointmentDetailed(row: AppointmentRow): Static<typeof AppointmentDetailed> {
  return { ...renderAppointment(row), note: row.note, cancelled_at: wholeSecond(row.cancelled_at) }
}
