// An appointment's columns, and its rendering as the contract's resource, concise or detailed.
import type { Clinic } from '@clinic-data/contract'
import type { Appointment, AppointmentDetailed } from '@clinic-data/contract/resources/appointment'
import type { Static } from '@clinic-data/contract/schema'
import { type Statement, sql } from '@clinic-data/database'
import { catalogEntry, lookUp } from './look-up.ts'
import { type Reference, renderReference } from './named-reference.ts'
import { type PatientSummaryColumns, patientSummary } from './patient-summary.ts'
import { type RowOf, resourceTable } from './resource-table.ts'

interface Columns extends PatientSummaryColumns {
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
  /** All of them, combined by `attended`. */
  providers: Reference[]
}

const appointmentResource = resourceTable<Static<typeof Appointment>, Columns>()({
  relation: 'a',
  stored: ['id'],
  instants: ['created_at', 'updated_at'],
  seconds: ['start', 'end'],
  made: {
    patient: patientSummary,
    branch: {
      columns: sql`branch.id as branch_id, branch.name as branch_name`,
      render: ({ branch_id, branch_name }) => renderReference(branch_id, branch_name),
    },
    type: {
      columns: sql`type.id as type_id, type.name as type_name, type.duration_minutes as type_duration_minutes`,
      render: ({ type_id: id, type_name: name, type_duration_minutes: duration_minutes }) =>
        id === null || name === null || duration_minutes === null ? null : { id, name, duration_minutes },
    },
    status: {
      columns: sql`status.id as status_id, status.name as status_name, status.color as status_color`,
      render: ({ status_id: id, status_name: name, status_color: color }) =>
        id === null || name === null || color === null ? null : { id, name, color },
    },
    providers: {
      columns: sql`provider.id as provider_id, provider.name as provider_name`,
      render: ({ providers }) => providers,
    },
  },
})
type WholeRow = RowOf<typeof appointmentResource>
export type AppointmentRow = Omit<WholeRow, 'providers'>

const details = resourceTable<Omit<Static<typeof AppointmentDetailed>, keyof Static<typeof Appointment>>>()({
  relation: 'a',
  stored: ['note'],
  instants: [],
  seconds: ['cancelled_at'],
  made: {},
})
export type AppointmentDetailedRow = AppointmentRow & RowOf<typeof details>

export type Form = 'concise' | 'detailed'

/** Needs `appointmentJoins`, which give one row per provider. Their order is `ap.position`. */
export function appointmentColumns(clinic: Clinic, form: Form): Statement {
  const more = form === 'concise' ? sql.empty : sql`, ${details.columns(clinic)}`
  return sql`${appointmentResource.columns(clinic)}${more}`
}

export function appointmentJoins({ clinic_id }: Clinic): Statement {
  return sql`${lookUp('patient', clinic_id, sql`a.patient_id`)}
    ${catalogEntry('branch', clinic_id, sql`a.branch_id`)}
    ${catalogEntry('appointment_type', clinic_id, sql`a.type_id`, 'type')}
    ${catalogEntry('appointment_status', clinic_id, sql`a.status_id`, 'status')}
    left join appointment_provider ap on ap.clinic_id = ${clinic_id} and ap.appointment_id = a.id
    ${catalogEntry('provider', clinic_id, sql`ap.provider_id`)}`
}

/** Selects the appointments that match a condition on `a`, with all their providers. */
export function appointmentsWhere(clinic: Clinic, condition: Statement, form: Form = 'concise'): Statement {
  return sql`select ${appointmentColumns(clinic, form)} from appointment a ${appointmentJoins(clinic)}
    where a.clinic_id = ${clinic.clinic_id} and ${condition} order by a.id, ap.position`
}

/** An appointment's row with all its providers. */
export type AttendedRow<R extends AppointmentRow = AppointmentRow> = R & Pick<WholeRow, 'providers'>

/**
 * Combines the consecutive rows of each appointment into the first of them. This is cheaper than letting the database build an array.
 */
export function attended<R extends AppointmentRow>(rows: readonly R[]): AttendedRow<R>[] {
  const appointments: AttendedRow<R>[] = []
  for (const row of rows) {
    const last = appointments.at(-1)
    const provider = renderReference(row.provider_id, row.provider_name)
    if (last?.id !== row.id) appointments.push(Object.assign(row, { providers: provider === null ? [] : [provider] }))
    else if (provider !== null) last.providers.push(provider)
  }
  return appointments
}

export function renderAppointment(row: AttendedRow): Static<typeof Appointment> {
  return appointmentResource.render(row)
}

export function renderAppointmentDetailed(
  row: AttendedRow<AppointmentDetailedRow>,
): Static<typeof AppointmentDetailed> {
  return { ...renderAppointment(row), ...details.render(row) }
}

/** In the form that was selected. */
export function renderAppointmentForm(
  row: AttendedRow<AppointmentRow | AppointmentDetailedRow>,
): Static<typeof AppointmentDetailed> {
  return 'note' in row ? renderAppointmentDetailed(row) : renderAppointment(row)
}
