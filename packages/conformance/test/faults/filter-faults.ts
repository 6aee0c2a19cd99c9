// Faults of filters, periods and searches.
import { asking, handled, type Row, relisted } from '../wrong-backends.ts'
import { byChange, type Fault, isAlone, isLower, later } from './fault.ts'

const ALWAYS = '2000-01-01T00:00:00Z'
const isDay = (text: unknown) => String(text).length === 10

export const filters: readonly Fault[] = [
  {
    says: 'ignores a filter',
    breaks: ['filters.hold'],
    wrap: asking('chat.messages.list', () => ({ direction: undefined })),
  },
  {
    says: 'ignores a filter of changes',
    breaks: ['filters.of-changes'],
    wrap: asking('payments.search', (query) => (byChange(query) ? { method_type: undefined } : {})),
  },
  {
    says: 'loses a row under a filter',
    breaks: ['filters.complete'],
    wrap: relisted('calls.list', { when: isAlone('status'), rows: (rows) => rows.slice(1) }),
  },
  {
    says: 'ignores one of two filters',
    breaks: ['filters.combine'],
    wrap: asking('calls.list', ({ has_recording }) => (has_recording === undefined ? {} : { direction: undefined })),
  },
  {
    says: 'shows everything for an id that does not exist',
    breaks: ['filters.unknown-id'],
    wrap: asking('treatments.list', ({ appointment_id }) =>
      appointment_id === 'no-such-id-7f3a' ? { appointment_id: undefined } : {},
    ),
  },
  {
    says: 'calls the status of no visit in the list unknown',
    breaks: ['unknown-ids.true'],
    wrap: handled('patients.appointments.list', (own) => async (grant, input, context) => {
      const answer = await own(grant, input, context)
      const isEmpty = input.query.status_id !== undefined && (answer.data as Row[]).length === 0
      return isEmpty ? { ...answer, unknown_ids: ['status_id'] } : answer
    }),
  },
  {
    says: 'calls every provider of a query unknown',
    breaks: ['unknown-ids.of-queries'],
    wrap: handled('query.run', (own) => async (grant, input, context) => {
      const answer = await own(grant, input, context)
      const filters = (input.body.filters ?? []) as { field: string; value: string[] }[]
      const unknown_values = filters.flatMap(({ field, value }) =>
        field === 'provider' ? { filter: field, values: value } : [],
      )
      return unknown_values.length === 0 ? answer : { ...answer, unknown_values }
    }),
  },
  {
    says: 'treats % as a wildcard',
    breaks: ['filters.literal'],
    wrap: asking('patients.list', ({ query }) => (String(query).includes('%') ? { query: undefined } : {})),
  },
  {
    says: 'ignores `to` without `from`',
    breaks: ['periods.hold'],
    wrap: asking('payments.list', ({ from }) => (from === undefined ? { to: undefined } : {})),
  },
  {
    says: 'treats `to` as exclusive',
    breaks: ['periods.inclusive'],
    wrap: asking('patients.calls.list', ({ to }) => (to === undefined || isDay(to) ? {} : { to: later(to, -1) })),
  },
  {
    says: 'ends a day at its first instant',
    breaks: ['periods.days'],
    wrap: asking('chat.conversations.messages.list', ({ to }) => (isDay(to) ? { to: `${to}T00:00:00Z` } : {})),
  },
  {
    says: 'shows every change whatever `updated_since` says',
    breaks: ['changes.hold'],
    wrap: asking('appointments.list', (query) => (byChange(query) ? { updated_since: ALWAYS } : {})),
  },
  {
    says: 'treats `updated_since` as exclusive',
    breaks: ['changes.inclusive'],
    wrap: asking('patients.appointments.list', (query) =>
      byChange(query) ? { updated_since: later(query.updated_since, 1) } : {},
    ),
  },
  {
    says: 'loses the last but one change',
    breaks: ['changes.complete'],
    wrap: relisted('patients.list', {
      when: byChange,
      rows: (rows) => (rows.length > 4 ? rows.toSpliced(rows.length - 2, 1) : rows),
    }),
  },
  {
    says: 'finds phones in international form only',
    breaks: ['searches.phone-forms'],
    wrap: asking('patients.list', ({ phone }) =>
      phone === undefined || String(phone).startsWith('+') ? {} : { phone: '+972500000000' },
    ),
  },
  {
    says: 'compares emails case-sensitively',
    breaks: ['searches.email-case'],
    wrap: asking('patients.list', ({ email }) => (email === undefined || isLower(email) ? {} : { email: 'a@b.co' })),
  },
  {
    says: 'compares names case-sensitively',
    breaks: ['searches.names'],
    wrap: asking('patients.list', ({ query }) => (query === undefined || isLower(query) ? {} : { query: 'nobody' })),
  },
]
