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
  provider_id: string | null
  provider_name: string | null
  start: string | null
  end: string | null
  created_at: string
  updated_at: string
}

export interface AppointmentDetailedRow extends AppointmentRow {
  note: string | null
  cancelled_at: string | null
}

/** Of the relation `a` (rows of `appointment`), with `appointmentJoins`: one row a provider, in the order of `ap.position`. */
export const appointmentColumns = sql`a.id, ${patientSummaryColumns}, branch.id as branch_id, branch.name as branch_name,
    type.id as type_id, type.name as type_name, type.duration_minutes as type_duration_minutes,
    status.id as status_id, status.name as status_name, status.color as status_color,
    provider.id as provider_id, provider.name as provider_name,
    a.start, a."end", a.created_at, a.updated_at`

/** What the detailed form adds. */
export const appointmentDetails = sql`a.note, a.cancelled_at`

export function appointmentJoins({ clinic_id }: Clinic): Statement {
  return sql`${lookUp('patient', clinic_id, sql`a.patient_id`)}
    ${catalogEntry('branch', clinic_id, sql`a.branch_id`)}
    ${catalogEntry('appointment_type', clinic_id, sql`a.type_id`, 'type')}
    ${catalogEntry('appointment_status', clinic_id, sql`a.status_id`, 'status')}
    left join appointment_provider ap on ap.clinic_id = ${clinic_id} and ap.appointment_id = a.id
    ${catalogEntry('provider', clinic_id, sql`ap.provider_id`)}`
}

/** The appointments that a condition on `a` names, whole. */
export function appointmentsWhere(clinic: Clinic, condition: Statement): Statement {
  return sql`select ${appointmentColumns} from appointment a ${appointmentJoins(clinic)}
    where a.clinic_id = ${clinic.clinic_id} and ${condition} order by a.id, ap.position`
}

/** An appointment's row with all its providers. */
export type AttendedRow<R extends AppointmentRow = AppointmentRow> = R & { providers: Reference[] }

/** Puts the rows of one appointment, which follow each other, together: cheaper than an array made by the database. */
export function attended<R extends AppointmentRow>(rows: readonly R[]): AttendedRow<R>[] {
  const appointments: AttendedRow<R>[] = []
  for (const row of rows) {
    const last = appointments.at(-1)
    const provider = renderReference(row.provider_id, row.provider_name)
    if (last?.id !== row.id) appointments.push({ ...row, providers: provider === null ? [] : [provider] })
    else if (provider !== null) last.providers.push(provider)
  }
  return appointments
}

export function renderAppointment(row: AttendedRow): Static<typeof Appointment> {
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
    providers: row.providers,
    start: wholeSecond(row.start),
    end: wholeSecond(row.end),
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  }
}

export function renderAppointmentDetailed(
  row: AttendedRow<AppointmentDetailedRow>,
): Static<typeof AppointmentDetailed> {
  return { ...renderAppointment(row), note: row.note, cancelled_at: wholeSecond(row.cancelled_at) }
}
