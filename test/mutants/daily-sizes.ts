// Mutants of what the long runs of engines, senders, imports, files and plans protect: the small everyday tests notice them too.
import type { Mutant } from './mutant.ts'

const WEBHOOKS = 'packages/webhooks'
const BACKEND = 'packages/backend'
const IMPORTERS = 'packages/importers'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a dispatcher that restarts alone releases what the killed one held',
    file: `${WEBHOOKS}/src/engine/release-leases.ts`,
    from: "where clinic_id = ${clinic_id} and status = 'pending' and lease_until is not null`)\n    })",
    to: 'where clinic_id = ${clinic_id} and false`)\n    })',
    caught: {
      by: `${WEBHOOKS}/test/crash.test.ts`,
      test: 'killed while storing outcomes and restarted alone: everything arrives, and at most the held deliveries arrive twice',
    },
  },
  {
    breaks: 'a lease that has expired is claimed by another dispatcher',
    file: `${WEBHOOKS}/src/engine/claim.ts`,
    from: 'and (d.lease_until is null or d.lease_until <= ${now})\n              order by',
    to: 'and d.lease_until is null\n              order by',
    caught: {
      by: `${WEBHOOKS}/test/future-times.test.ts`,
      test: 'a lease taken during the jump lasts its normal time from the correction, and only its holder has it',
    },
  },
  {
    breaks: 'a message that a killed sender began to send is not sent again',
    file: `${BACKEND}/src/sending/send-queue.ts`,
    from: "set state = 'unknown', due_at = ${due_at}",
    to: "set state = 'waiting', due_at = ${due_at}",
    caught: {
      by: `${BACKEND}/test/chat-sender-crash.test.ts`,
      test: 'killed before an answer is stored: sent messages are not sent again',
    },
  },
  {
    breaks: 'a patient is found by the phone through an index',
    file: 'packages/records/src/lists/patients.ts',
    from: 'and c.value_normal = ${value_normal}`',
    to: "and c.value_normal || '' = ${value_normal}`",
    caught: {
      by: `${BACKEND}/test/plans.test.ts`,
      test: 'no statement scans a clinic’s table, or reads a thousand rows that it does not need',
    },
  },
  {
    breaks: 'a file of more than the largest size is refused',
    file: 'packages/records/src/file-bytes.ts',
    from: 'if (size_bytes > MAX.file) throw',
    to: 'if (size_bytes > 2 * MAX.file) throw',
    caught: {
      by: `${BACKEND}/test/files.test.ts`,
      test: 'a file over the limit is refused, and nothing of it stays',
    },
  },
  {
    breaks: 'a password is stored at the cost that OWASP asks for',
    file: 'packages/administration/src/sign-in/password.ts',
    from: 'const COST = 2 ** 15',
    to: 'const COST = 2 ** 10',
    caught: {
      by: 'packages/administration/test/sign-in.test.ts',
      test: 'passwords, tokens of sessions and of links are stored as hashes alone',
    },
  },
  {
    breaks: 'a service hashes passwords at the usual cost',
    file: 'packages/server/src/private/console.ts',
    from: '    failedSignIns: new FailedAttempts(),\n',
    to: '    failedSignIns: new FailedAttempts(),\n    passwordCost: { N: 2 ** 10, r: 8, p: 1 },\n',
    caught: {
      by: 'test/console/keys.test.ts',
      test: 'an administrator sets a password by a double click, signs out and signs in with it',
    },
  },
  {
    breaks: 'a scan ends before its caller gives up',
    file: 'packages/database/src/connections/scan-connections.ts',
    from: 'statement_timeout: 5_000',
    to: 'statement_timeout: 50_000',
    caught: {
      by: 'packages/database/test/scans.test.ts',
      test: 'the server cancels a scan over five seconds',
    },
  },
  {
    breaks: 'each resource of a FHIR bundle is stored in one batch only',
    file: `${IMPORTERS}/src/fhir/steps.ts`,
    from: 'batch.splice(0))',
    to: 'batch.slice(0))',
    caught: {
      by: `${IMPORTERS}/test/import-fhir.test.ts`,
      test: 'more resources of a kind than one batch are all stored, each once',
    },
  },
  {
    breaks: 'each row of an outpatient clinic is stored in one batch only',
    file: `${IMPORTERS}/src/outpatient/import-outpatient.ts`,
    from: '      yield batch\n      batch = []',
    to: '      yield batch',
    caught: {
      by: `${IMPORTERS}/test/import-csv-outpatient.test.ts`,
      test: 'more rows than one batch are all stored, each once, and told by their fate',
    },
  },
  {
    breaks: 'the last batch of a CSV file is stored, whole or not',
    file: `${IMPORTERS}/src/csv/records.ts`,
    from: 'if (batch.length > 0) yield batch',
    to: 'if (batch.length >= BATCH) yield batch',
    caught: {
      by: `${IMPORTERS}/test/import-csv.test.ts`,
      test: 'changed rows get the values of the file, and updated_at is the time of storing',
    },
  },
]
