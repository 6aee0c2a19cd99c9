// Mutants of the import of FHIR bundles.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an amount is rounded half up by its digits, not by floating point',
    file: 'packages/importers/src/fhir/money.ts',
    from: 'Number(`${Math.abs(money.value)}e${decimals}`)',
    to: 'Math.abs(money.value) * 10 ** decimals',
    caught: {
      by: 'packages/importers/test/import-fhir.test.ts',
      test: 'amounts are rounded half up by their digits, and another currency is never read as the clinic’s',
    },
  },
  {
    breaks: "another currency is never read as the clinic's",
    file: 'packages/importers/src/fhir/money.ts',
    from: 'if (money.currency !== undefined && money.currency !== currency)',
    to: 'if (money.currency === undefined && money.currency !== currency)',
    caught: {
      by: 'packages/importers/test/import-fhir.test.ts',
      test: 'amounts are rounded half up by their digits, and another currency is never read as the clinic’s',
    },
  },
  {
    breaks: 'a resource that was entered in error is left out',
    file: 'packages/importers/src/fhir/encounters.ts',
    from: "if (status === 'entered-in-error')",
    to: "if (status === 'entered_in_error')",
    caught: {
      by: 'packages/importers/test/import-fhir-faults.test.ts',
      test: 'one resource that is malformed or out of bounds is left out with the reason, and the others are stored',
    },
  },
  {
    breaks: 'a treatment that was not completed is left out',
    file: 'packages/importers/src/fhir/treatments.ts',
    from: "if (status !== 'completed')",
    to: 'if (status === undefined)',
    caught: {
      by: 'packages/importers/test/import-fhir.test.ts',
      test: 'what did not happen becomes no record, and nothing is recorded later than the import',
    },
  },
  {
    breaks: 'a payer is no branch',
    file: 'packages/importers/src/fhir/people.ts',
    from: 'if (codes.length > 0 && !codes.some(',
    to: 'if (codes.length > 9 && !codes.some(',
    caught: {
      by: 'packages/importers/test/import-fhir.test.ts',
      test: 'what did not happen becomes no record, and nothing is recorded later than the import',
    },
  },
  {
    breaks: 'a claim that is an estimate charges nothing',
    file: 'packages/importers/src/fhir/claims.ts',
    from: "if (use !== undefined && use !== 'claim')",
    to: "if (use === '')",
    caught: {
      by: 'packages/importers/test/import-fhir.test.ts',
      test: 'an estimate charges nothing, is no price of its procedure, and no payment',
    },
  },
  {
    breaks: 'a claim that is an estimate is no price of its procedure',
    file: 'packages/importers/src/fhir/claims.ts',
    from: '    try {\n      refuseUnfit(claim)\n',
    to: '    try {\n',
    caught: {
      by: 'packages/importers/test/import-fhir.test.ts',
      test: 'an estimate charges nothing, is no price of its procedure, and no payment',
    },
  },
  {
    breaks: 'the answer to an estimate is no payment',
    file: 'packages/importers/src/fhir/payments.ts',
    from: '  refuseUnfit(resource)\n',
    to: '  refuseUnfit({ ...resource, use: undefined })\n',
    caught: {
      by: 'packages/importers/test/import-fhir.test.ts',
      test: 'an estimate charges nothing, is no price of its procedure, and no payment',
    },
  },
  {
    breaks: 'a payment of nothing is left out',
    file: 'packages/importers/src/fhir/payments.ts',
    from: 'if (amount === null || amount === 0)',
    to: 'if (amount === null)',
    caught: {
      by: 'packages/importers/test/import-fhir.test.ts',
      test: 'what did not happen becomes no record, and nothing is recorded later than the import',
    },
  },
  {
    breaks: 'no imported record is later than the import',
    file: 'packages/importers/src/fhir/fhir-import.ts',
    from: 'return Date.parse(first) < Date.parse(context.now) ? first : context.now',
    to: 'return first',
    caught: {
      by: 'packages/importers/test/import-fhir.test.ts',
      test: 'what did not happen becomes no record, and nothing is recorded later than the import',
    },
  },
]
