// Availability slot: a maximal free window of one provider at one branch.
import { Id, Instant, named, nullable, object } from '../schema.ts'

export const AvailabilitySlot = named(
  'AvailabilitySlot',
  object({
    provider_id: Id,
    branch_id: Id,
    start: nullable(Instant),
    end: nullable(Instant),
    latest_start: nullable(Instant),
  }),
  {
    provider_id: 'dr-cohen',
    branch_id: 'haifa',
    start: '2026-07-14T10:30:00+03:00',
    end: '2026-07-14T13:00:00+03:00',
    latest_start: '2026-07-14T12:45:00+03:00',
  },
)
