// Faults of orders, pages and fields.
import { answering, asking, handled, type Row, relisted } from '../wrong-backends.ts'
import { byChange, calls, type Fault, later, reversed } from './fault.ts'

const patients = ['patients.list', 'patients.get'] as const
const treatments = ['treatments.list', 'treatments.get'] as const

export const lists: readonly Fault[] = [
  {
    says: 'reverses a list',
    breaks: ['order.documented'],
    wrap: relisted('treatments.list', { when: (query) => !byChange(query), rows: reversed }),
  },
  {
    says: 'reverses the order of changes',
    breaks: ['order.changes'],
    wrap: relisted('chat.messages.list', { when: byChange, rows: reversed }),
  },
  {
    says: 'begins a page with the last row of the one before',
    breaks: ['pages.rows-once'],
    wrap: relisted('payments.list', { begins: (end) => end - 1 }),
  },
  {
    says: 'loses a row between two pages',
    breaks: ['pages.alike'],
    wrap: relisted('patients.chat_messages.list', { begins: (end) => end + 1 }),
  },
  {
    says: 'gives a position after the last row',
    breaks: ['pages.end'],
    wrap: handled('patients.appointments.list', (own) => async (grant, input, context) => {
      if (input.query.after?.[0] === 'end') return { data: [], next: null }
      const answer = await own(grant, input, context)
      return { ...answer, next: answer.next ?? ((answer.data as Row[]).length > 0 ? ['end'] : null) }
    }),
  },
  {
    says: 'answers one row too many',
    breaks: ['pages.limit'],
    wrap: asking('chat.conversations.list', ({ limit }) => ({ limit: limit + 1 })),
  },
  {
    says: 'gives positions that are too long for a URL',
    breaks: ['pages.position'],
    wrap: relisted('chat.conversations.messages.list', { position: (at) => [String(at), 'x'.repeat(4000)] }),
  },
  {
    says: 'does not say how far the feed has been read',
    breaks: ['events.resume'],
    wrap: handled('events.list', (own) => async (...args) => {
      const { resume: _, ...answer } = await own(...args)
      return answer
    }),
  },
  {
    says: 'drops a required field',
    breaks: ['answers.fields'],
    wrap: answering(calls, ({ ring_seconds: _, ...row }) => row),
  },
  {
    says: 'drops a field of the detailed form',
    breaks: ['answers.detailed'],
    wrap: answering(patients, ({ contacts, ...row }) =>
      contacts === undefined
        ? row
        : { ...row, contacts: (contacts as Row[]).map(({ is_primary: _, ...contact }) => contact) },
    ),
  },
  {
    says: 'gives another value in the detailed form',
    breaks: ['answers.detailed-agrees'],
    wrap: answering(patients, (row) =>
      'balance' in row ? { ...row, gender: row.gender === 'male' ? 'female' : 'male' } : row,
    ),
  },
  {
    says: 'gives times in UTC',
    breaks: ['answers.times'],
    wrap: answering(treatments, ({ performed_at, ...row }) => ({
      ...row,
      performed_at: performed_at && `${later(performed_at, 0).slice(0, 19)}Z`,
    })),
  },
  {
    says: 'computes prices as floats',
    breaks: ['answers.money'],
    wrap: answering(treatments, (row) => ({ ...row, price: 100 / 3 })),
  },
  {
    says: 'calls a payment refunded that has no refunds',
    breaks: ['answers.refunds'],
    wrap: answering(['payments.list', 'payments.get', 'payments.create'], (row) =>
      row.is_refund || row.status !== 'recorded' ? row : { ...row, status: 'refunded' },
    ),
  },
  {
    says: 'lists a provider twice',
    breaks: ['answers.rows-once'],
    wrap: handled('catalog.providers.list', (own) => async (...args) => {
      const rows = (await own(...args)).data as Row[]
      return { data: [...rows, rows[0]] }
    }),
  },
  {
    says: 'answers without {data}',
    breaks: ['answers.form'],
    wrap: handled(
      'me.get',
      (own) =>
        async (...args) =>
          (await own(...args)).data as never,
    ),
  },
]
