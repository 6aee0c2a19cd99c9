// Recorded treatment (specification, Resources): one performed for a patient, unlike the catalog's menu.
import { MAX } from '../limits.ts'
import {
  CreatedAt,
  Id,
  Instant,
  Money,
  NamedReference,
  named,
  nullable,
  object,
  text,
  UpdatedAt,
  whole,
} from '../schema/schema.ts'
import { PatientSummary } from './patient.ts'

export const Treatment = named(
  'Treatment',
  object({
    id: Id,
    patient: nullable(PatientSummary, { description: 'Who was treated.' }),
    treatment: nullable(object({ id: Id, name: text(MAX.name), code: nullable(text(MAX.code)) }), {
      description: 'The procedure of the catalog.',
    }),
    provider: nullable(NamedReference, { description: 'Who treated.' }),
    appointment: nullable(object({ id: Id, start: nullable(Instant), end: nullable(Instant) }), {
      description: 'The visit at which it was performed.',
    }),
    plan: nullable(NamedReference, { description: 'The treatment plan that it is part of.' }),
    quantity: whole(0, MAX.quantity, { description: 'The number of units.' }),
    price: nullable(Money, { description: 'The recorded price of all units together.' }),
    performed_at: nullable(Instant, { description: 'When it was performed.' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  }),
  {
    id: 't5501',
    patient: { id: 'p1042', first_name: 'Noa', last_name: 'Levi' },
    treatment: { id: 'cleaning', name: 'Cleaning', code: 'D1110' },
    provider: { id: 'dr-cohen', name: 'Dr. Maya Cohen' },
    appointment: { id: 'a88012', start: '2026-07-14T10:00:00+03:00', end: '2026-07-14T10:30:00+03:00' },
    plan: null,
    quantity: 1,
    price: 350,
    performed_at: '2026-07-14T10:25:00+03:00',
    created_at: '2026-07-14T10:26:03.511+03:00',
    updated_at: '2026-07-14T10:26:03.511+03:00',
  },
)
