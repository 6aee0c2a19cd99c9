// Recorded treatments: of one patient, and one by id.
import { idFilter, paging, updatedSince } from '../list-parameters.ts'
import { answersOne, answersPage, latestFirst, operation, reading } from '../operation.ts'
import { Treatment } from '../resources/treatment.ts'
import { strictObject } from '../schema/schema.ts'

const read = reading({ scope: 'treatments:read', tag: 'Treatments', untrustedText: false, patients: 'patient' })

export const treatmentsList = operation({
  ...read('treatments.list', '/v1/patients/{id}/treatments'),
  summary: "A patient's recorded treatments",
  description: 'Sorted by `performed_at`, latest first.',
  ids: { id: 'patient' },
  query: strictObject({ appointment_id: idFilter('appointment'), ...updatedSince, ...paging }),
  unknownIds: { appointment_id: 'empty' },
  ...answersPage(Treatment, latestFirst('performed_at')),
})

export const treatmentsGet = operation({
  ...read('treatments.get', '/v1/treatments/{id}'),
  summary: 'One recorded treatment',
  description: 'By id. A removed treatment is not found.',
  ids: { id: 'treatment' },
  ...answersOne(Treatment),
})
