// Recorded treatments: of one patient, and one by id. Both leave out removed ones.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { changedSince } from '@clinic-data/records/filters/period'
import {
  type TreatmentRow,
  treatmentJoins,
  treatmentResource,
  treatmentsWhere,
} from '@clinic-data/records/resources/treatment'
import { notFound, requirePatient } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import {
  type Order,
  orderOfChange,
  orderOfLatest,
  type Positioned,
  page,
  pageAnswer,
  pageOrder,
} from '../handling/page.ts'

type ListQuery = HandlerInput<Operations['treatments.list']>['query']

const latestFirst = orderOfLatest(sql`t`, sql`performed_sort`)
const byChange = orderOfChange(sql`t`)

export function treatmentHandlers({ database }: HandlerParts): HandlersOf<'treatments.list' | 'treatments.get'> {
  return {
    'treatments.list': async ({ clinic }, { params: { id }, query }) => {
      const { order, rows } = listed(clinic, id, query)
      const found = await database.read<TreatmentRow & Positioned>(
        clinic,
        sql`select ${treatmentResource.columns(clinic)}, t.sort
          from ${rows} t ${treatmentJoins(clinic)} ${pageOrder(sql`t`, order)}`,
      )
      if (found.length === 0) await requirePatient(database, clinic, id)
      return pageAnswer(found, query, treatmentResource.render)
    },

    'treatments.get': async ({ clinic }, { params: { id } }) => {
      const [row] = await database.read<TreatmentRow>(
        clinic,
        treatmentsWhere(clinic, sql`t.id = ${id} and t.removed_at is null`),
      )
      if (row === undefined) throw notFound('recorded treatment', id)
      return { data: treatmentResource.render(row) }
    },
  }
}

function listed({ clinic_id }: Clinic, patient_id: string, query: ListQuery): { order: Order; rows: Statement } {
  const { appointment_id, updated_since } = query
  const where = [sql`t.clinic_id = ${clinic_id} and t.patient_id = ${patient_id} and t.removed_at is null`]
  if (appointment_id !== undefined) where.push(sql`t.appointment_id = ${appointment_id}`)
  if (updated_since !== undefined) where.push(changedSince(byChange.sort, updated_since))
  const order = updated_since === undefined ? latestFirst : byChange
  return { order, rows: page({ columns: sql`t.*`, from: sql`treatment t`, where, order }, query) }
}
