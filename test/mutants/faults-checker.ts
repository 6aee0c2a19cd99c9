// Mutants of the checker of histories: what a long run with faults must not overlook.
import type { Mutant } from './mutant.ts'

const CHECKER = 'test/faults/check-history.ts'
const BY = 'test/faults/check-history.test.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'two acknowledged ids of one keyed request are found',
    file: CHECKER,
    from: 'if (kept.size > 1 || ids.size > 1)',
    to: 'if (kept.size > 1)',
    caught: {
      by: BY,
      test: 'it is found that a keyed request was acknowledged with two ids, although only one of them is stored',
    },
  },
  {
    breaks: 'a lead without an audit row is found',
    file: CHECKER,
    from: '      if (!stored.audited.has(requestId))',
    to: "      if (!name.startsWith('lead') && !stored.audited.has(requestId))",
    caught: { by: BY, test: 'it is found that a lead is not in the audit log: write without audit' },
  },
  {
    breaks: 'an event of a wrong type is found',
    file: CHECKER,
    from: '!EVENTS_OF[kind].includes(type)',
    to: 'EVENTS_OF[kind].length === 0',
    caught: {
      by: BY,
      test: 'it is found that a payment that nobody cancelled has such an event too: event of a wrong type',
    },
  },
  {
    breaks: 'an event of a record that has none is found',
    file: CHECKER,
    from: 'kind !== undefined && !EVENTS_OF[kind]',
    to: "kind !== undefined && kind !== 'lead' && !EVENTS_OF[kind]",
    caught: { by: BY, test: 'it is found that a lead has an event: event of a wrong type' },
  },
  {
    breaks: 'a delivery under another type than its event has is found',
    file: CHECKER,
    from: 'events.get(event)?.type === type',
    to: 'events.has(event)',
    caught: { by: BY, test: 'it is found that an event was sent under another type than its own: wrong delivery' },
  },
]
