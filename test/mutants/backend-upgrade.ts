// Mutants of the backend: what an upgrade keeps of earlier versions.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an upgrade carries the seals of the first versions over',
    file: 'packages/backend/migrations/0021_former_seals.sql',
    from: "attname = 'last_stored_at'",
    to: "attname = 'day'",
    caught: { by: 'packages/audit/test/audit-former-seals.test.ts' },
  },
  {
    breaks: 'rows that the first versions sealed are still checked',
    file: 'packages/audit/src/former-seals.ts',
    from: 'return expected === seal.hash ? null',
    to: 'return expected.length > 0 ? null',
    caught: {
      by: 'packages/audit/test/audit-former-seals.test.ts',
      test: 'a changed row of the first versions is found',
    },
  },
  {
    breaks: 'a reader of the feed misses no event whose time fell',
    file: 'packages/backend/src/operations/events.ts',
    from: 'const EARLIER_MS = 24 * 60 * 60 * 1000',
    to: 'const EARLIER_MS = 0',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'events whose times fell, as versions before could store them, are all found from every place',
    },
  },
  {
    breaks: 'since finds the first event by position, also when times fell',
    file: 'packages/backend/src/operations/events.ts',
    from: 'const FELL_BY_MS = 60_000',
    to: 'const FELL_BY_MS = 0',
    caught: {
      by: 'packages/backend/test/events.test.ts',
      test: 'events whose times fell, as versions before could store them, are all found from every place',
    },
  },
  {
    breaks: 'an answer that an earlier version stored is completed',
    file: 'packages/backend/src/handling/completed-answer.ts',
    from: 'blankFor(field)',
    to: 'undefined',
    caught: { by: 'test/rules/stored-answers.test.ts' },
  },
  {
    breaks: 'doctor warns before tables are migrated from which there is no way back',
    file: 'packages/operator/src/doctor/tables.ts',
    from: 'if (applied.has(RUNS_ON_ITS_TABLES))',
    to: 'if (applied.size > 0)',
    caught: {
      by: 'packages/operator/test/doctor.test.ts',
      test: 'tables whose version does not run on those of today are a warning, before anything is changed',
    },
  },
  {
    breaks: 'doctor tells a stopped embedded folder of the first versions',
    file: 'packages/database/src/embedded/cluster-folder.ts',
    from: 'return !/^local /m.test(',
    to: 'return /^nothing /m.test(',
    caught: {
      by: 'packages/operator/test/doctor.test.ts',
      test: 'an embedded folder of a first version is a warning, also while no server runs in it',
    },
  },
]
