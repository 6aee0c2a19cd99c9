// Availability slot: a maximal free window of one provider at one branch (docs/decisions/0045).
import { MAX } from '../limits.ts'
import { about, Id, Instant, named, nullable, object, Type, text } from '../schema/schema.ts'

export const AvailabilitySlot = named(
  'AvailabilitySlot',
  object({
    provider_id: about('The provider who is free.', Id),
    provider_name: Type.Optional(text(MAX.name)),
    branch_id: about('The branch where the provider is free.', Id),
    branch_name: Type.Optional(text(MAX.name)),
    start: nullable(Instant, { description: 'The earliest start of a visit.' }),
    end: nullable(Instant, { description: 'The end of the window.' }),
    latest_start: nullable(Instant, { description: 'The latest start at which a visit still fits.' }),
  }),
  {
    provider_id: 'dr-cohen',
    provider_name: 'Dr. Maya Cohen',
    branch_id: 'haifa',
    branch_name: 'Haifa',
    start: '2026-07-26T10:30:00+03:00',
    end: '2026-07-26T13:00:00+03:00',
    latest_start: '2026-07-26T12:45:00+03:00',
  },
)
