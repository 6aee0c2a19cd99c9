// Patients, and the lists of one patient that have no file of their own.

import { MAX } from '../limits.ts'
import { one, operation, page, paging, responseFormat, updatedSince } from '../operation.ts'
import { Patient, PatientDetailed } from '../resources/patient.ts'
import { strictObject, Type, text } from '../schema.ts'

export const patientsList = operation({
  id: 'patients.list',
  method: 'GET',
  path: '/v1/patients',
  scope: 'patients:read',
  tag: 'Patients',
  summary: 'List and search patients',
  description:
    'Filters combine with AND. With `query` the rows are ordered by name, else by id. `phone` compares every phone of a patient, contacts included, in normal form; `email` is compared whole, whatever its case.',
  query: strictObject({
    phone: Type.Optional(
      text(MAX.phone, { minLength: 1, format: 'phone', description: 'Match phone, in any common form.' }),
    ),
    email: Type.Optional(text(MAX.email, { minLength: 1, description: 'Match email, primary or contact.' })),
    query: Type.Optional(
      text(MAX.name, {
        minLength: 1,
        description:
          'Name search: each word is the beginning of a part of the name, words in any order (`levi d` finds David Ben-Levi).',
      }),
    ),
    ...responseFormat,
    ...updatedSince,
    ...paging,
  }),
  shape: 'page',
  order: { by: 'id', kind: 'id', direction: 'ascending' },
  untrustedText: false,
  output: page(Patient),
  detailed: page(PatientDetailed),
  example: { query: { phone: '050-123-4567' } },
})

export const patientsGet = operation({
  id: 'patients.get',
  method: 'GET',
  path: '/v1/patients/{id}',
  scope: 'patients:read',
  tag: 'Patients',
  summary: 'One patient',
  description: 'With `response_format=detailed` also address, contacts, balance and id number.',
  ids: { id: 'patient' },
  query: strictObject({ ...responseFormat }),
  shape: 'one',
  untrustedText: false,
  output: one(Patient),
  detailed: one(PatientDetailed),
  example: { params: { id: 'p1042' } },
})
