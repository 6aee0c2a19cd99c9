// Recorded treatments: of one patient, and one by id. Both leave out removed ones.
import type { HandlerInput, Operations } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { orderOfLatest } from '@clinic-data/records/lists/page'
import { treatmentJoins, treatmentResource, treatmentsWhere } from '@clinic-data/records/resources/treatment'
import { requirePatient } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import { type List, listHandlers, oneHandler } from '../handling/list.ts'

type Query = HandlerInput<Operations['treatments.list']>['query'] & { patient_id?: string }

const treatments: List<Query, typeof treatmentResource> = {
  name: sql`t`,
  from: sql`treatment t`,
  order: orderOfLatest(sql`t`, sql`performed_sort`),
  only: sql`t.removed_at is null`,
  filters: {
    patient_id: (id) => sql`t.patient_id = ${id}`,
    appointment_id: (id) => sql`t.appointment_id = ${id}`,
  },
  columns: treatmentResource.columns,
  joins: treatmentJoins,
  render: treatmentResource.render,
}

export function treatmentHandlers(parts: HandlerParts): HandlersOf<'treatments.list' | 'treatments.get'> {
  return {
    'treatments.list': listHandlers(parts, treatments).of('patient_id', requirePatient),
    'treatments.get': oneHandler(
      parts,
      'recorded treatment',
      (clinic, id) => treatmentsWhere(clinic, sql`t.id = ${id} and t.removed_at is null`),
      treatmentResource.render,
    ),
  }
}
