// Free appointment slots.

import { AVAILABILITY_DAYS, MAX } from '../limits.ts'
import { bounded, idFilter, operation } from '../operation.ts'
import { AvailabilitySlot } from '../resources/availability-slot.ts'
import { about, Id, LocalDate, strictObject } from '../schema.ts'

export const availabilityList = operation({
  id: 'availability.list',
  method: 'GET',
  path: '/v1/availability',
  scope: 'availability:read',
  tag: 'Availability',
  summary: 'Free slots of a branch',
  description: `Each slot is a maximal free window of one provider at the branch: working hours less time off and appointments that are not cancelled, never across midnight. An appointment without an end takes its type's duration. Today's first slot begins at the next step of the clinic's clock (5 minutes unless set). A visit may start from \`start\` to \`latest_start\`. At most ${AVAILABILITY_DAYS} days at once; by start, then provider.`,
  query: strictObject({
    from: about('The first day, clinic-local.', LocalDate),
    to: about('The last day, included.', LocalDate),
    branch_id: about('The branch to look in.', Id),
    provider_id: idFilter('provider'),
  }),
  maxPeriodDays: AVAILABILITY_DAYS,
  unknownIds: { branch_id: 'not-found', provider_id: 'empty' },
  shape: 'bounded',
  untrustedText: false,
  output: bounded(AvailabilitySlot, MAX.slots),
  example: { query: { from: '2026-07-14', to: '2026-07-20', branch_id: 'haifa' } },
})
