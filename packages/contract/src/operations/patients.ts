// Patients, and the lists of one patient that have no file of their own.

import { MAX } from '../limits.ts'
import { paging, responseFormat, updatedSince } from '../list-parameters.ts'
import { answersOne, answersPage, operation, reading } from '../operation.ts'
import { Patient, PatientDetailed } from '../resources/patient.ts'
import { LocalDate, strictObject, Type, text, thirdDecimal } from '../schema/schema.ts'
import type { Scope } from '../scopes.ts'

const read = reading({ scope: 'patients:read', tag: 'Patients', untrustedText: false, patients: 'itself' })

const day = (description: string) => Type.Optional(Type.Unsafe<string>({ ...LocalDate, description }))

const dayOfYear = (description: string) => Type.Optional(text(5, { format: 'day-of-year', description }))

const VISITS = 'Needs `appointments:read` too.'
const MONEY = 'Needs `payments:read` too.'

/** Facts of a patient's other records. Each one that shows what another scope opens needs that scope (docs/decisions/0131). */
const facts = {
  birthday_from: dayOfYear(
    'Only patients whose birthday is on or after this day of the year, `MM-DD`. With a later `birthday_from` than `birthday_to` the days go across New Year: `12-28` to `01-03`.',
  ),
  birthday_to: dayOfYear('Only patients whose birthday is on or before this day of the year, `MM-DD`.'),
  last_visit_before: day(
    `Only patients without a visit on this clinic-local day or later; those who never came too. A visit is an appointment that has begun and was neither cancelled nor missed. ${VISITS}`,
  ),
  last_visit_after: day(`Only patients with a visit on this clinic-local day or later. ${VISITS}`),
  has_future_appointment: Type.Optional(
    Type.Boolean({
      description: `Only patients who have an appointment ahead that is not cancelled (\`true\`), or none (\`false\`). ${VISITS}`,
    }),
  ),
  last_payment_before: day(
    `Only patients without a payment on this clinic-local day or later; those who never paid too. Refunds and cancelled payments are none. ${MONEY}`,
  ),
  last_payment_after: day(`Only patients with a payment on this clinic-local day or later. ${MONEY}`),
  owes_more_than: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: MAX.money,
      ...thirdDecimal,
      description: `Only patients whose balance is above this amount, in major units: \`0\` finds everybody who owes. ${MONEY}`,
    }),
  ),
}

export const patientsList = operation({
  ...read('patients.list', '/v1/patients'),
  summary: 'List and search patients',
  description:
    'Filters combine with AND. With `query` the rows are sorted by name, otherwise by id. `phone` matches any phone of a patient, contacts included, in any common form. `email` matches a whole address, in upper or lower case. The filters of birthdays, visits, appointments ahead, payments and debts answer whom to call: a debt and `last_payment_before` together find who owes and has not paid.',
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
          'Searches by name. Each word must begin a part of the name, in any order (`levi d` finds David Ben-Levi). Names in another script that sound alike come behind (`כהן` finds Cohen too): Latin, Hebrew, Arabic and Cyrillic. Those in the same script come only where no name begins so (`fisher` finds Fischer).',
      }),
    ),
    ...facts,
    ...responseFormat,
    ...updatedSince,
    ...paging,
  }),
  addedFilters: {
    birthday_from: null,
    birthday_to: null,
    last_visit_before: 'appointments:read',
    last_visit_after: 'appointments:read',
    has_future_appointment: 'appointments:read',
    last_payment_before: 'payments:read',
    last_payment_after: 'payments:read',
    owes_more_than: 'payments:read',
  } satisfies Record<keyof typeof facts, Scope | null>,
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
