// Mutants of the backend: idempotency, leads, subscriptions.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an Idempotency-Key is refused for other content',
    file: 'packages/backend/src/handling/idempotent.ts',
    from: 'if (row.request_hash !== contentHash(write.input.body)) {',
    to: 'if (row.request_hash.length !== contentHash(write.input.body).length) {',
    caught: {
      by: 'packages/backend/test/leads.test.ts',
      test: 'the same Idempotency-Key gives the first answer again, and is refused for other content',
    },
  },
  {
    breaks: 'an Idempotency-Key answers for 24 hours and no longer',
    file: 'packages/backend/src/handling/idempotent.ts',
    from: "interval '24 hours'",
    to: "interval '25 hours'",
    caught: {
      by: 'packages/backend/test/leads.test.ts',
      test: 'an Idempotency-Key answers for 24 hours, and is then forgotten',
    },
  },
  {
    breaks: 'the age of an answer is told by the database’s clock',
    file: 'packages/backend/src/handling/idempotent.ts',
    from: "const KEPT = sql`created_at > now() - interval '24 hours'`",
    to: "const KEPT = sql`created_at > ${new Date(Date.now() - 1)}::timestamptz - interval '24 hours' and created_at < now()`",
    caught: {
      by: 'packages/backend/test/leads.test.ts',
      test: 'an Idempotency-Key answers for 24 hours, and is then forgotten',
    },
  },
  {
    breaks: 'two requests with one Idempotency-Key never run at once',
    file: 'packages/backend/src/handling/idempotent.ts',
    from: 'if (lock().rows[0]?.taken !== true) {',
    to: 'if (lock().rows.length === 0) {',
    caught: { by: 'packages/backend/test/payments-create.test.ts' },
  },
  {
    breaks: 'an Idempotency-Key belongs to one path',
    file: 'packages/backend/src/handling/idempotent.ts',
    from: '${filledPath(operation, input.params as Record<string, string>)}`',
    to: '${operation.path}`',
    caught: {
      by: 'packages/backend/test/payments-create.test.ts',
      test: 'the same Idempotency-Key and content for another patient record that patient’s payment',
    },
  },
  {
    breaks: 'an Idempotency-Key that is used again a day later keeps its new answer',
    file: 'packages/backend/src/handling/idempotent.ts',
    from: 'answer = excluded.answer, created_at',
    to: 'created_at',
    caught: {
      by: 'packages/backend/test/leads.test.ts',
      test: 'an Idempotency-Key that is used again after a day answers from then on what it made last',
    },
  },
  {
    breaks: 'the same content with its names in another order is the same content',
    file: 'packages/surface/src/content-hash.ts',
    from: 'Object.keys(value).sort()',
    to: 'Object.keys(value)',
    caught: {
      by: 'packages/backend/test/leads.test.ts',
      test: 'the same content with its names in another order is the same content for an Idempotency-Key',
    },
  },
  {
    breaks: 'a stored answer is repeated, and nothing is done again',
    file: 'packages/backend/src/handling/idempotent.ts',
    from: '  if (row === undefined) return null\n',
    to: '  if (row !== undefined) return null\n',
    caught: {
      by: 'packages/backend/test/leads.test.ts',
      test: 'an Idempotency-Key answers also where the clock of a machine is a day ahead',
    },
  },
]
