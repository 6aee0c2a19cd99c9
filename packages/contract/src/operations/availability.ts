// Free appointment slots.

import { AVAILABILITY_DAYS, MAX } from '../limits.ts'
import { idFilter } from '../list-parameters.ts'
import { answersFilteredList, operation } from '../operation.ts'
import { AvailabilitySlot } from '../resources/availability-slot.ts'
import { about, Id, LocalDate, strictObject, Type, text, whole } from '../schema/schema.ts'

export const availabilityList = operation({
  id: 'availability.list',
  method: 'GET',
  path: '/v1/availability',
  scope: 'availability:read',
  tag: 'Availability',
  summary: 'Free slots of a branch, or of several',
  description: `Each slot is the longest free window of one provider at the branch. It lies within the working hours, outside of time off and of appointments that are not cancelled, and never crosses midnight. An appointment without an end takes its type's duration. Today's first slot begins at the next step of the clinic's clock (every 5 minutes unless the clinic chose another step). A visit may start at any time from \`start\` to \`latest_start\`: it then ends within the window. Name its length in \`duration_minutes\`; without it, and at least, it is the clinic's shortest visit. One request covers at most ${AVAILABILITY_DAYS} days. Sorted by start, then by provider. \`further_branch_ids\` adds other branches.`,
  query: strictObject({
    from: about('The first day, clinic-local.', LocalDate),
    to: about('The last day, included.', LocalDate),
    branch_id: about('The branch to look in.', Id),
    further_branch_ids: Type.Optional(
      text(MAX.note, {
        format: 'ids',
        description:
          'Further branches to look in, for example all others. Separate their ids with commas, or repeat the parameter.',
      }),
    ),
    provider_id: idFilter('provider'),
    duration_minutes: Type.Optional(
      whole(1, MAX.duration_minutes, {
        description:
          'The length of the visit, in minutes: only windows that hold it. `GET /v1/catalog/appointments/types` tells that of each type.',
      }),
    ),
  }),
  addedFilters: { further_branch_ids: null },
  maxPeriodDays: AVAILABILITY_DAYS,
  unknownIds: { branch_id: 'not-found', provider_id: 'empty' },
  untrustedText: false,
  patients: 'none',
  ...answersFilteredList(AvailabilitySlot, MAX.slots),
  example: { query: { from: '2026-07-26', to: '2026-07-30', branch_id: 'haifa' } },
})
