// Patient (specification, Resources): the concise form, the detailed form and the summary embedded elsewhere.
import { MAX } from '../limits.ts'
import {
  absentIs,
  Color,
  CreatedAt,
  Currency,
  choice,
  Id,
  LocalDate,
  list,
  Money,
  named,
  nullable,
  object,
  Type,
  text,
  UpdatedAt,
} from '../schema/schema.ts'
import { Address } from './address.ts'

export const genders = ['male', 'female'] as const

/** As the specification has it, without a phone (docs/decisions/0141). */
export const PatientSummary = named(
  'PatientSummary',
  object({ id: Id, first_name: nullable(text(MAX.person_name)), last_name: nullable(text(MAX.person_name)) }),
  { id: 'p1042', first_name: 'Noa', last_name: 'Levi' },
)

const concise = {
  id: Id,
  first_name: nullable(text(MAX.person_name)),
  last_name: nullable(text(MAX.person_name)),
  phone: nullable(text(MAX.phone, { description: 'Primary phone, as the clinic stored it.' })),
  email: nullable(text(MAX.email, { description: 'Primary email.' })),
  gender: nullable(choice(genders), { description: 'As the clinic recorded it.' }),
  birth_date: nullable(LocalDate, { description: '`YYYY-MM-DD`.' }),
  status: nullable(object({ id: Id, name: text(MAX.name), color: nullable(Color) }), {
    description: "One of the clinic's own statuses.",
  }),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
}

const example = {
  id: 'p1042',
  first_name: 'Noa',
  last_name: 'Levi',
  phone: '050-123-4567',
  email: 'noa.levi@example.com',
  gender: 'female' as const,
  birth_date: '1988-03-14',
  status: { id: 'active', name: 'Active', color: '#2a9d8f' },
  created_at: '2025-02-03T10:15:00.000+02:00',
  updated_at: '2026-07-12T09:30:00.123+03:00',
}

export const Patient = named('Patient', object(concise), example)

/** A patient's debt: positive when the patient owes the clinic. */
export const Balance = named('Balance', object({ amount: Money, currency: Currency }), { amount: 250, currency: 'ILS' })

export const PatientContact = named(
  'PatientContact',
  object({
    type: choice(['phone', 'email']),
    value: text(MAX.email),
    label: nullable(text(MAX.name), { description: 'What the clinic calls it, for example `mobile`.' }),
    is_primary: Type.Boolean(),
  }),
  { type: 'phone', value: '050-123-4567', label: 'mobile', is_primary: true },
)

export const PatientDetailed = named(
  'PatientDetailed',
  object({
    ...concise,
    address: nullable(Address, { description: 'Postal address.', ...absentIs(null) }),
    contacts: list(PatientContact, MAX.contacts, { description: 'Every phone and email.', ...absentIs([]) }),
    balance: nullable(Balance, { description: 'Positive: the patient owes the clinic.', ...absentIs(null) }),
    id_number: nullable(text(MAX.id_number), { description: 'National id or passport number.', ...absentIs(null) }),
  }),
  {
    ...example,
    address: { street: '12 Herzl', city: 'Haifa', postal_code: '3303001', country: 'IL' },
    contacts: [{ type: 'phone', value: '050-123-4567', label: 'mobile', is_primary: true }],
    balance: { amount: 250, currency: 'ILS' },
    id_number: null,
  },
)
