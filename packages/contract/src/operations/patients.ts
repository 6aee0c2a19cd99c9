// Patients, and the lists of one patient that have no file of their own.

import { MAX } from '../limits.ts'
import { paging, responseFormat, updatedSince } from '../list-parameters.ts'
import { answersOne, answersPage, operation, reading } from '../operation.ts'
import { Patient, PatientDetailed } from '../resources/patient.ts'
import { strictObject, Type, text } from '../schema/schema.ts'

const read = reading({ scope: 'patients:read', tag: 'Patients', untrustedText: false, patients: 'itself' })

export const patientsList = operation({
  ...read('patients.list', '/v1/patients'),
  summary: 'List and search patients',
  description:
    'Filters combine with AND. With `query` the rows are sorted by name, otherwise by id. `phone` matches any phone of a patient, contacts included, in any common form. `email` matches a whole address, in upper or lower case.',
  query: strictObject({
    phone: Type.Optional(
      text(MAX.phone, {
        minLength: 1,
        format: 'phone',
        description: 'Only patients with this phone, in any common form.',
      }),
    ),
    email: Type.Optional(
      text(MAX.email, { minLength: 1, description: 'Only patients with this email, primary or contact.' }),
    ),
    query: Type.Optional(
      text(MAX.name, {
        minLength: 1,
        description:
          'Searches by name. Each word must begin a part of the name, in any order (`levi d` finds David Ben-Levi).',
      }),
    ),
    ...responseFormat,
    ...updatedSince,
    ...paging,
  }),
  ...answersPage(Patient, { by: 'id', kind: 'id', direction: 'ascending' }, PatientDetailed),
  example: { query: { phone: '050-123-4567' } },
})

export const patientsGet = operation({
  ...read('patients.get', '/v1/patients/{id}'),
  summary: 'One patient',
  description: 'By id. `response_format=detailed` adds address, contacts, balance and id number.',
  ids: { id: 'patient' },
  query: strictObject({ ...responseFormat }),
  ...answersOne(Patient, PatientDetailed),
})
