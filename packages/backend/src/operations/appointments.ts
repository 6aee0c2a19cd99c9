// Appointments: of the clinic, of one patient, and one by id.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { type Positioned, pageAnswer, pageOrder } from '@clinic-data/records/lists/page'
import {
  type AppointmentDetailedRow,
  type AppointmentRow,
  appointmentColumns,
  appointmentJoins,
  appointmentsWhere,
  attended,
  type Form,
  renderAppointmentForm,
} from '@clinic-data/records/resources/appointment'
import { notFound, requirePatient } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import { ofOwner, pageOf, type Rows } from '../handling/list.ts'

type Ids = 'appointments.list' | 'appointments.get' | 'patients.appointments.list'
type ListQuery = HandlerInput<Operations['appointments.list']>['query']

const appointments: Rows<Omit<ListQuery, 'response_format'>> = {
  name: sql`a`,
  from: sql`appointment a`,
  order: { sort: sql`a.start_sort`, kind: 'instant', id: sql`a.id` },
  filters: {
    patient_id: (id) => sql`a.patient_id = ${id}`,
    branch_id: (id) => sql`a.branch_id = ${id}`,
    status_id: (id) => sql`a.status_id = ${id}`,
    // A scalar instead of `exists`, which the planner could turn into a join that reads all of the provider's appointments.
    provider_id: (id, { clinic_id }) => sql`(select true from appointment_provider ap where ap.clinic_id = ${clinic_id}
      and ap.appointment_id = a.id and ap.provider_id = ${id})`,
  },
}

/** A provider's appointments come in order from the copy of their starts. */
const ofProvider = ({ clinic_id }: Clinic): typeof appointments => ({
  ...appointments,
  from: sql`appointment_provider ap join appointment a on a.clinic_id = ${clinic_id} and a.id = ap.appointment_id`,
  order: { sort: sql`ap.start_sort`, kind: 'instant', id: sql`ap.appointment_id` },
  filters: {
    ...appointments.filters,
    provider_id: (id) => sql`ap.clinic_id = ${clinic_id} and ap.provider_id = ${id}`,
  },
})

/** A gateway of an earlier version names no form of a single appointment. */
const formOf = ({ response_format }: Pick<ListQuery, 'response_format'>): Form => response_format ?? 'concise'

export function appointmentHandlers({ database, now }: HandlerParts): HandlersOf<Ids> {
  async function list(clinic: Clinic, query: ListQuery) {
    const isInTheirOrder = query.patient_id === undefined && query.updated_since === undefined
    const listed = query.provider_id !== undefined && isInTheirOrder ? ofProvider(clinic) : appointments
    const { order, rows } = pageOf(listed, clinic, query, now())
    const found = await database.read<(AppointmentRow | AppointmentDetailedRow) & Positioned>(
      clinic,
      sql`select ${appointmentColumns(clinic, formOf(query))}, a.sort
        from ${rows} a ${appointmentJoins(clinic)} ${pageOrder(sql`a`, order)}, ap.position`,
    )
    return pageAnswer(attended(found), query, renderAppointmentForm)
  }

  return {
    'appointments.list': ({ clinic }, { query }) => list(clinic, query),

    'patients.appointments.list': ofOwner(database, 'patient_id', requirePatient, list),

    'appointments.get': async ({ clinic }, { params: { id }, query }) => {
      const rows = await database.read<AppointmentRow | AppointmentDetailedRow>(
        clinic,
        appointmentsWhere(clinic, sql`a.id = ${id}`, formOf(query)),
      )
      const [row] = attended(rows)
      if (row === undefined) throw notFound('appointment', id)
      return { data: renderAppointmentForm(row) }
    },
  }
}
