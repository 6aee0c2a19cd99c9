// Mutants of the backend: which change is which event, and its time.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a change is never dated far behind one committed before it',
    file: 'packages/changes/src/writing/change-times.ts',
    from: 'const MOST_BEHIND_MS = 30_000',
    to: 'const MOST_BEHIND_MS = 3_600_001',
    caught: {
      by: 'packages/backend/test/change-times.test.ts',
      test: 'an import continues from the latest change, and later changes from the import',
    },
  },
  {
    breaks: 'a change behind a fast clock gets a later time than the latest',
    file: 'packages/changes/src/writing/change-times.ts',
    from: '    return new Date(latest + 1)\n  }\n\n',
    to: '    return now\n  }\n\n',
    caught: {
      by: 'packages/backend/test/change-times.test.ts',
      test: 'clocks that differ a little, and a transaction that takes long, keep their own times',
    },
  },
  {
    breaks: 'an import continues from the latest change',
    file: 'packages/changes/src/writing/change-times.ts',
    from: 'return clock > latest ? clock : new Date(latest.getTime() + 1)',
    to: 'return clock',
    caught: {
      by: 'packages/backend/test/change-times.test.ts',
      test: 'an import continues from the latest change, and later changes from the import',
    },
  },
  {
    breaks: 'later changes get later times than an import',
    file: 'packages/changes/src/writing/change-times.ts',
    from: '      await tell(time())\n',
    to: '',
    caught: {
      by: 'packages/backend/test/change-times.test.ts',
      test: 'an import continues from the latest change, and later changes from the import',
    },
  },
  {
    breaks: 'due times follow the clock, not the time of the change',
    file: 'packages/changes/src/writing/write-changes.ts',
    from: 'sendEvents(tx, clinic, changes, now, latest)',
    to: 'sendEvents(tx, clinic, changes, at, latest)',
    caught: {
      by: 'packages/backend/test/change-times.test.ts',
      test: 'deliveries and messages made after the clock went back are due by the clock',
    },
  },
  {
    breaks: 'a row without a time does not wait for the clinic’s times',
    file: 'packages/changes/src/writing/write-changes.ts',
    from: 'changed.isUndated ? UNDATED',
    to: 'changed.isUndated && changed.changes.length > 0 ? UNDATED',
    caught: {
      by: 'packages/backend/test/change-times.test.ts',
      test: 'a row without a time does not check the clinic’s times',
    },
  },
  {
    breaks: 'who sends is told of due deliveries',
    file: 'packages/changes/src/writing/write-changes.ts',
    from: 'if (deliveries() > 0) onDeliveriesDue',
    to: 'if (deliveries() > 1) onDeliveriesDue',
    caught: {
      by: 'packages/backend/test/due-notices.test.ts',
      test: 'who sends is told of a change that a subscription wants',
    },
  },
  {
    breaks: 'who sends is told nothing where no delivery is due',
    file: 'packages/changes/src/writing/write-changes.ts',
    from: 'if (deliveries() > 0) onDeliveriesDue',
    to: 'if (deliveries() >= 0) onDeliveriesDue',
    caught: {
      by: 'packages/backend/test/due-notices.test.ts',
      test: 'who sends is told nothing of a change that no subscription wants',
    },
  },
  {
    breaks: 'a change without an event counts for later times',
    file: 'packages/changes/src/writing/write-changes.ts',
    from: 'await takePlaces(tx, clinic, changes.length, at) } = changed',
    to: 'changes.length === 0 ? at : await takePlaces(tx, clinic, changes.length, at) } = changed',
    caught: {
      by: 'packages/backend/test/change-times.test.ts',
      test: 'a change that was under way when another clock jumped starts again, with a later time',
    },
  },
  {
    breaks: 'the deliveries of a record are those whose events tell of it',
    file: 'packages/backend/src/operations/webhook-deliveries.ts',
    from: 'e.record_id = ${query.record_id}`)',
    to: 'e.record_id is not null`)',
    caught: {
      by: 'packages/backend/test/webhook-deliveries.test.ts',
      test: 'the log is filtered by the record that its events tell of, and never shows the events of another clinic’s',
    },
  },
  {
    breaks: 'an event keeps the record that it tells of',
    file: 'packages/webhooks/src/events/record-of.ts',
    from: 'return id === undefined ? null : (JSON.parse(id) as string)',
    to: 'return id === undefined ? null : id',
    caught: {
      by: 'packages/webhooks/test/record-of.test.ts',
      test: 'every type of event begins with the id of its record',
    },
  },
]
