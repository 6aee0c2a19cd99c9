// Payments and refunds: of one patient, one by id, and recording one.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { changedSince, within } from '../filters/period.ts'
import { notFound, requirePatient } from '../not-found.ts'
import { type PaymentRow, paymentJoins, paymentResource, paymentsWhere } from '../resources/payment.ts'
import type { HandlerParts, HandlersOf } from './handled.ts'
import { type Order, type Positioned, page, pageAnswer, pageOrder } from './page.ts'
import { recordPayment } from './record-payment.ts'
import { written } from './write.ts'

type ListQuery = HandlerInput<Operations['payments.list']>['query']

const latestFirst: Order = { sort: sql`y.paid_sort`, kind: 'instant', id: sql`y.id`, descending: true }
const byChange: Order = { sort: sql`y.updated_at`, kind: 'instant', id: sql`y.id` }

type Handled = 'payments.list' | 'payments.get' | 'payments.create'

export function paymentHandlers(parts: HandlerParts): HandlersOf<Handled> {
  const { database } = parts
  return {
    'payments.list': async ({ clinic }, { params: { id }, query }) => {
      const { order, rows } = listed(clinic, id, query)
      const found = await database.read<PaymentRow & Positioned>(
        clinic,
        sql`select ${paymentResource.columns(clinic)}, y.sort
          from ${rows} y ${paymentJoins(clinic)} ${pageOrder(sql`y`, order)}`,
      )
      if (found.length === 0) await requirePatient(database, clinic, id)
      return pageAnswer(found, query, paymentResource.render)
    },

    'payments.get': async ({ clinic }, { params: { id } }) => {
      const [row] = await database.read<PaymentRow>(clinic, paymentsWhere(clinic, sql`y.id = ${id}`))
      if (row === undefined) throw notFound('payment', id)
      return { data: paymentResource.render(row) }
    },

    'payments.create': written<'payments.create'>(parts, (tx, { clinic }, { params, body }, at, now) =>
      recordPayment(tx, { clinic, patient_id: params.id, body, at, now }),
    ),
  }
}

function listed({ clinic_id }: Clinic, patient_id: string, query: ListQuery): { order: Order; rows: Statement } {
  const { updated_since } = query
  const where = [sql`y.clinic_id = ${clinic_id} and y.patient_id = ${patient_id}`]
  where.push(...within(latestFirst.sort, query))
  if (updated_since !== undefined) where.push(changedSince(byChange.sort, updated_since))
  const order = updated_since === undefined ? latestFirst : byChange
  return { order, rows: page({ columns: sql`y.*`, from: sql`payment y`, where, order }, query) }
}
