// Recorded treatments: of one patient, and one by id.
import { idFilter, latestFirst, one, operation, page, paging, updatedSince } from '../operation.ts'
import { Treatment } from '../resources/treatment.ts'
import { strictObject } from '../schema.ts'

export const treatmentsList = operation({
  id: 'treatments.list',
  method: 'GET',
  path: '/v1/patients/{id}/treatments',
  scope: 'treatments:read',
  tag: 'Treatments',
  summary: "A patient's recorded treatments",
  description: 'By the time performed, latest first.',
  ids: { id: 'patient' },
  query: strictObject({ appointment_id: idFilter('appointment'), ...updatedSince, ...paging }),
  unknownIds: { appointment_id: 'empty' },
  shape: 'page',
  order: latestFirst('performed_at'),
  untrustedText: false,
  output: page(Treatment),
  example: { params: { id: 'p1042' } },
})

export const treatmentsGet = operation({
  id: 'treatments.get',
  method: 'GET',
  path: '/v1/treatments/{id}',
  scope: 'treatments:read',
  tag: 'Treatments',
  summary: 'One recorded treatment',
  description: 'By id. A removed treatment is not found.',
  ids: { id: 'treatment' },
  shape: 'one',
  untrustedText: false,
  output: one(Treatment),
  example: { params: { id: 't5501' } },
})
