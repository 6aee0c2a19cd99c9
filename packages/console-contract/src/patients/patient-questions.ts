// The questions that an owner asks of patients, and who is found: by the filters of the public list, which are no second ones (docs/decisions/0140).
import { MAX } from '@clinic-data/contract/limits'
import { operations } from '@clinic-data/contract/operations'
import {
  Id,
  LocalDate,
  list,
  Money,
  nullable,
  object,
  type Static,
  strictObject,
  Type,
  text,
} from '@clinic-data/contract/schema'

/** As many as a screen has room for. Each page names its patients in the audit log. */
export const PATIENTS_PAGE = 25

const filters = operations['patients.list'].query.properties

/** Behind the last patient of a page. It holds a part of a name, so it stands in a body. */
const Position = list(text(MAX.name), 2, { minItems: 2 })

export const PatientQuestions = strictObject({
  words: Type.Optional(
    text(MAX.name, {
      minLength: 1,
      pattern: '[\\p{L}\\p{N}]',
      description: 'The beginning or the sound of names, or a phone.',
    }),
  ),
  owes_more_than: filters.owes_more_than,
  last_visit_before: filters.last_visit_before,
  last_visit_after: filters.last_visit_after,
  last_payment_before: filters.last_payment_before,
  birthday_from: filters.birthday_from,
  birthday_to: filters.birthday_to,
  has_future_appointment: filters.has_future_appointment,
  after: Type.Optional(Position),
})

export type PatientQuestions = Static<typeof PatientQuestions>

export const ListedPatient = object({
  id: Id,
  first_name: nullable(text(MAX.person_name)),
  last_name: nullable(text(MAX.person_name)),
  phone: nullable(text(MAX.phone)),
  birth_date: nullable(LocalDate),
  last_visit_on: nullable(LocalDate, { description: 'Null: the patient never came.' }),
  last_payment_on: nullable(LocalDate, { description: 'Null: the patient never paid.' }),
  balance: Money,
})

export type ListedPatient = Static<typeof ListedPatient>

export const PatientsPage = object({
  data: list(ListedPatient, PATIENTS_PAGE),
  meta: object({
    after: nullable(Position, { description: 'Where the next page begins. Null: this is the last one.' }),
  }),
})
