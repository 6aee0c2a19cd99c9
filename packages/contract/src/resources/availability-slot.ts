// Availability slot: a maximal free window of one provider at one branch.
import { about, Id, Instant, named, nullable, object } from '../schema.ts'

export const AvailabilitySlot = named(
  'AvailabilitySlot',
  object({
    provider_id: about('The provider who is free.', Id),
    branch_id: about('The branch where the provider is free.', Id),
    start: nullable(Instant, { description: 'The earliest start of a visit.' }),
    end: nullable(Instant, { description: 'The end of the window.' }),
    latest_start: nullable(Instant, { description: 'The latest start at which a visit still fits.' }),
  }),
  {
    provider_id: 'dr-cohen',
    branch_id: 'haifa',
    start: '2026-07-26T10:30:00+03:00',
    end: '2026-07-26T13:00:00+03:00',
    latest_start: '2026-07-26T12:45:00+03:00',
  },
)
