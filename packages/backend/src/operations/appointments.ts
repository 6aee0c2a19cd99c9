// Appointments: of the clinic, of one patient, and one by id.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { changedSince, within } from '@clinic-data/records/filters/period'
import {
  type AppointmentDetailedRow,
  type AppointmentRow,
  appointmentColumns,
  appointmentJoins,
  appointmentsWhere,
  attended,
  renderAppointment,
  renderAppointmentDetailed,
} from '@clinic-data/records/resources/appointment'
import { notFound, requirePatient } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import { type Order, orderOfChange, type Positioned, page, pageAnswer, pageOrder } from '../handling/page.ts'

type Ids = 'appointments.list' | 'appointments.get' | 'patients.appointments.list'
type ListQuery = HandlerInput<Operations['appointments.list']>['query']

const byStart: Order = { sort: sql`a.start_sort`, kind: 'instant', id: sql`a.id` }
const byProvidersStart: Order = { sort: sql`ap.start_sort`, kind: 'instant', id: sql`ap.appointment_id` }
const byChange = orderOfChange(sql`a`)

export function appointmentHandlers({ database }: HandlerParts): HandlersOf<Ids> {
  async function list(clinic: Clinic, query: ListQuery) {
    const { order, rows } = listed(clinic, query)
    const detailed = query.response_format === 'detailed'
    const found = await database.read<(AppointmentRow | AppointmentDetailedRow) & Positioned>(
      clinic,
      sql`select ${appointmentColumns(clinic, detailed ? 'detailed' : 'concise')}, a.sort
        from ${rows} a ${appointmentJoins(clinic)} ${pageOrder(sql`a`, order)}, ap.position`,
    )
    return pageAnswer(attended(found), query, (row) =>
      'note' in row ? renderAppointmentDetailed(row) : renderAppointment(row),
    )
  }

  return {
    'appointments.list': ({ clinic }, { query }) => list(clinic, query),

    'patients.appointments.list': async ({ clinic }, { params: { id }, query }) => {
      const answer = await list(clinic, { ...query, patient_id: id })
      if (answer.data.length === 0) await requirePatient(database, clinic, id)
      return answer
    },

    'appointments.get': async ({ clinic }, { params: { id } }) => {
      const [row] = attended(await database.read<AppointmentRow>(clinic, appointmentsWhere(clinic, sql`a.id = ${id}`)))
      if (row === undefined) throw notFound('appointment', id)
      return { data: renderAppointment(row) }
    },
  }
}

function listed({ clinic_id }: Clinic, query: ListQuery): { order: Order; rows: Statement } {
  const { provider_id, updated_since } = query
  const where = [sql`a.clinic_id = ${clinic_id}`]
  if (query.patient_id !== undefined) where.push(sql`a.patient_id = ${query.patient_id}`)
  if (query.branch_id !== undefined) where.push(sql`a.branch_id = ${query.branch_id}`)
  if (query.status_id !== undefined) where.push(sql`a.status_id = ${query.status_id}`)

  // A provider's appointments come in order from the copy of their starts, unless another order is requested.
  if (provider_id !== undefined && query.patient_id === undefined && updated_since === undefined) {
    const from = sql`appointment_provider ap join appointment a on a.clinic_id = ${clinic_id} and a.id = ap.appointment_id`
    where.push(sql`ap.clinic_id = ${clinic_id} and ap.provider_id = ${provider_id}`)
    where.push(...within(byProvidersStart.sort, query))
    return { order: byProvidersStart, rows: page({ columns: sql`a.*`, from, where, order: byProvidersStart }, query) }
  }
  if (provider_id !== undefined) {
    // A scalar instead of `exists`, which the planner could turn into a join that reads all of the provider's appointments.
    where.push(sql`(select true from appointment_provider ap where ap.clinic_id = ${clinic_id}
      and ap.appointment_id = a.id and ap.provider_id = ${provider_id})`)
  }
  where.push(...within(byStart.sort, query))
  if (updated_since !== undefined) where.push(changedSince(byChange.sort, updated_since))
  const order = updated_since === undefined ? byStart : byChange
  return { order, rows: page({ columns: sql`a.*`, from: sql`appointment a`, where, order }, query) }
}
