// Providers' working times from the clinic's own system: the input of availability. They have no events.
import { Id, strictObject } from '@clinic-data/contract/schema'
import {
  checkProviderWeek,
  ProviderWeekRecord,
  providerWeekKind,
  removeTimeOff,
  storeProviderWeeks,
  timeOffKind,
} from '@clinic-data/records/schedule'
import { recordsOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'
import { ofKind, outcomeOf, refuseFaulty, removeRecords, withoutEvents } from './store-records.ts'

const tag = 'Working hours'

export const scheduleOperations = [
  recordsOperation({
    id: 'working_hours.store',
    path: '/working-hours',
    tag,
    summary: "Store providers' weeks",
    description:
      'A record is the whole week of one provider, at every branch. Windows that it leaves out are removed. Fires no event.',
    record: sentForm(ProviderWeekRecord, { windows: undefined }),
    key: providerWeekKind.key,
    references: providerWeekKind.references,
    becomes: 'updated',
    example: {
      provider_id: 'dr1',
      windows: [
        { branch_id: 'b1', weekday: 0, starts_at: '09:00', ends_at: '13:00' },
        { branch_id: 'b1', weekday: 0, starts_at: '14:00', ends_at: '18:00' },
      ],
    },
    apply: async (tx, clinic, sent) => {
      const weeks = sent as ProviderWeekRecord[]
      refuseFaulty(clinic, weeks, checkProviderWeek)
      const stored = await storeProviderWeeks(tx, clinic, weeks)
      const answer = weeks.map(({ provider_id }) => ({ id: provider_id, outcome: outcomeOf(provider_id, stored) }))
      return { answer, changes: [] }
    },
  }),
  recordsOperation({
    id: 'time_off.store',
    path: '/time-off',
    tag,
    summary: 'Store time off',
    description:
      'The time off of one provider, of everyone at a branch, or of the whole clinic if it names neither. Fires no event.',
    ...ofKind(timeOffKind),
    example: {
      id: 'off12',
      provider_id: 'dr1',
      start: '2026-08-02T00:00:00+03:00',
      end: '2026-08-09T00:00:00+03:00',
    },
  }),
  recordsOperation({
    id: 'time_off.remove',
    path: '/time-off/remove',
    tag,
    summary: 'Remove time off',
    description: 'The time is free again. If there is no such time off, the outcome is `unchanged`. Fires no event.',
    record: strictObject({ id: Id }),
    becomes: 'removed',
    example: { id: 'off12' },
    apply: removeRecords(withoutEvents(removeTimeOff)),
  }),
]
