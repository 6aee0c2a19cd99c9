// Payments and refunds: of the clinic, of one patient, one by id, and recording one.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { methodTypes } from '@clinic-data/contract/resources/payment'
import { sql } from '@clinic-data/database'
import { choiceFilter } from '@clinic-data/records/filters/choice-filter'
import { orderOfLatest } from '@clinic-data/records/lists/page'
import { paymentJoins, paymentResource, paymentsWhere } from '@clinic-data/records/resources/payment'
import { requirePatient } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import { type List, listHandlers, oneHandler } from '../handling/list.ts'
import { written } from '../handling/write.ts'
import { recordPayment } from './record-payment.ts'

type Ids = 'payments.search' | 'payments.list' | 'payments.get' | 'payments.create'
type Query = HandlerInput<Operations['payments.search']>['query'] & { patient_id?: string }

const payments: List<Query, typeof paymentResource> = {
  name: sql`y`,
  from: sql`payment y`,
  order: orderOfLatest(sql`y`, sql`paid_sort`),
  filters: {
    patient_id: (id) => sql`y.patient_id = ${id}`,
    method_type: choiceFilter('y.method_type', methodTypes),
  },
  columns: paymentResource.columns,
  joins: paymentJoins,
  render: paymentResource.render,
}

export function paymentHandlers(parts: HandlerParts): HandlersOf<Ids> {
  const list = listHandlers(parts, payments)
  const select = (clinic: Clinic, id: string) => paymentsWhere(clinic, sql`y.id = ${id}`)
  return {
    'payments.search': list.whole,
    'payments.list': list.of('patient_id', requirePatient),
    'payments.get': oneHandler(parts, 'payment', select, paymentResource.render),
    'payments.create': written<'payments.create'>(parts, (tx, { clinic }, { params, body }, at, now) =>
      recordPayment(tx, { clinic, patient_id: params.id, body, at, now }),
    ),
  }
}
