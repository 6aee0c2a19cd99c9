// Payments and refunds: of the clinic, of one patient, one by id, and recording one.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { methodTypes } from '@clinic-data/contract/resources/payment'
import { type Statement, sql } from '@clinic-data/database'
import { choiceFilter } from '@clinic-data/records/filters/choice-filter'
import { changedSince, within } from '@clinic-data/records/filters/period'
import { type PaymentRow, paymentJoins, paymentResource, paymentsWhere } from '@clinic-data/records/resources/payment'
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
import { written } from '../handling/write.ts'
import { recordPayment } from './record-payment.ts'

type ListQuery = HandlerInput<Operations['payments.search']>['query'] & { patient_id?: string }

const latestFirst = orderOfLatest(sql`y`, sql`paid_sort`)
const byChange = orderOfChange(sql`y`)

const isOfMethod = choiceFilter('y.method_type', methodTypes)

type Handled = 'payments.search' | 'payments.list' | 'payments.get' | 'payments.create'

export function paymentHandlers(parts: HandlerParts): HandlersOf<Handled> {
  const { database } = parts
  async function list(clinic: Clinic, query: ListQuery) {
    const { order, rows } = listed(clinic, query)
    const found = await database.read<PaymentRow & Positioned>(
      clinic,
      sql`select ${paymentResource.columns(clinic)}, y.sort
        from ${rows} y ${paymentJoins(clinic)} ${pageOrder(sql`y`, order)}`,
    )
    return pageAnswer(found, query, paymentResource.render)
  }

  return {
    'payments.search': ({ clinic }, { query }) => list(clinic, query),

    'payments.list': async ({ clinic }, { params: { id }, query }) => {
      const answer = await list(clinic, { ...query, patient_id: id })
      if (answer.data.length === 0) await requirePatient(database, clinic, id)
      return answer
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

function listed({ clinic_id }: Clinic, query: ListQuery): { order: Order; rows: Statement } {
  const { patient_id, method_type, updated_since } = query
  const where = [sql`y.clinic_id = ${clinic_id}`]
  if (patient_id !== undefined) where.push(sql`y.patient_id = ${patient_id}`)
  if (method_type !== undefined) where.push(isOfMethod(method_type))
  where.push(...within(latestFirst.sort, query))
  if (updated_since !== undefined) where.push(changedSince(byChange.sort, updated_since))
  const order = updated_since === undefined ? latestFirst : byChange
  return { order, rows: page({ columns: sql`y.*`, from: sql`payment y`, where, order }, query) }
}
