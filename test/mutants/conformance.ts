// Mutants of the conformance kit: what it reports, what it prints, when it stops.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'nothing is written unless it is allowed',
    file: 'packages/conformance/src/rule-report.ts',
    from: "writes: writes ? null : 'writing was not allowed'",
    to: 'writes: null',
    caught: { by: 'packages/conformance/test/judging.test.ts', test: 'a rule without what it needs is not tried' },
  },
  {
    breaks: 'a rule that could not be tried is skipped, not held',
    file: 'packages/conformance/src/rule-report.ts',
    from: "'second clinic': otherSide ? null : 'no key of a second clinic'",
    to: "'second clinic': null",
    caught: { by: 'packages/conformance/test/judging.test.ts', test: 'a rule without what it needs is not tried' },
  },
  {
    breaks: 'a rule that tried nothing does not count as held',
    file: 'packages/conformance/src/rule-report.ts',
    from: "broken > 0 ? 'failed' : tried > 0 ? 'held' : 'skipped'",
    to: "broken > 0 ? 'failed' : 'held'",
    caught: {
      by: 'packages/conformance/test/judging.test.ts',
      test: 'a rule that tried nothing is skipped, one that found a fault has failed, and so has one that cannot check',
    },
  },
  {
    breaks: 'a rule that cannot check an answer has failed',
    file: 'packages/conformance/src/rule-report.ts',
    from: 'isAnswered = !(error instanceof NoAnswer)\n',
    to: "isAnswered = !(error instanceof NoAnswer)\n    if (isAnswered) return { report: skippedRule(rule, ''), isAnswered }\n",
    caught: {
      by: 'packages/conformance/test/judging.test.ts',
      test: 'a rule that tried nothing is skipped, one that found a fault has failed, and so has one that cannot check',
    },
  },
  {
    breaks: 'a list out of order is noticed',
    file: 'packages/conformance/src/list-orders.ts',
    from: "const sign = order.direction === 'ascending' ? 1 : -1",
    to: 'const sign = 0',
    caught: {
      by: 'packages/conformance/test/judging.test.ts',
      test: 'a row out of order is found, in both directions, and so is a wrong order of equal rows',
    },
  },
  {
    breaks: 'an answer that is not UTF-8 is no answer',
    file: 'packages/conformance/src/outcome.ts',
    from: 'if (!isUtf8(bytes)) return',
    to: 'if (bytes.length < 0) return',
    caught: {
      by: 'packages/conformance/test/judging.test.ts',
      test: 'an answer that is not UTF-8 is none, even where it has the agreed form',
    },
  },
  {
    breaks: 'no report holds a name or a phone that was asked about',
    file: 'packages/conformance/src/rule.ts',
    from: "PRIVATE.has(name) ? '(of a patient)' : shown(value)",
    to: 'shown(value)',
    caught: {
      by: 'packages/conformance/test/judging.test.ts',
      test: 'a question in a report names the data of a patient and never shows it',
    },
  },
  {
    breaks: 'a broken rule is reported a few times, and counted in full',
    file: 'packages/conformance/src/rule.ts',
    from: 'if (this.findings.length < MOST_FINDINGS) {',
    to: 'if (this.broken > 0) {',
    caught: {
      by: 'packages/conformance/test/judging.test.ts',
      test: 'a rule that tried nothing is skipped, one that found a fault has failed, and so has one that cannot check',
    },
  },
  {
    breaks: 'a failure of the kit itself quotes no answer',
    file: 'packages/conformance/src/rule-report.ts',
    from: '(error as Error | null)?.name})',
    to: '(error as Error | null)?.message})',
    caught: {
      by: 'packages/conformance/test/judging.test.ts',
      test: 'a rule that tried nothing is skipped, one that found a fault has failed, and so has one that cannot check',
    },
  },
  {
    breaks: 'rows that are equal in time follow their ids',
    file: 'packages/conformance/src/list-orders.ts',
    from: "if (step !== 0 || order.kind === 'id') continue",
    to: "if (step !== 0 || order.kind !== 'id') continue",
    caught: {
      by: 'packages/conformance/test/judging.test.ts',
      test: 'a row out of order is found, in both directions, and so is a wrong order of equal rows',
    },
  },
  {
    breaks: 'a row without the value stands at the end',
    file: 'packages/conformance/src/list-orders.ts',
    from: 'if (a === null && b !== null) return',
    to: 'if (a === null && b === undefined) return',
    caught: {
      by: 'packages/conformance/test/judging.test.ts',
      test: 'a row out of order is found, in both directions, and so is a wrong order of equal rows',
    },
  },
  {
    breaks: 'an answer of too many bytes is not read to its end',
    file: 'packages/conformance/src/port-caller.ts',
    from: 'Math.min(most, MAX.file)',
    to: 'MAX.file',
    caught: { by: 'packages/conformance/test/port-caller.test.ts', test: 'an answer of too many bytes is none' },
  },
  {
    breaks: 'an answer that breaks off does not end the kit',
    file: 'packages/conformance/src/port-caller.ts',
    from: 'throw new NoAnswer(signal.aborted ?',
    to: "if ((error as { code?: unknown }).code === 'ECONNRESET') throw error\n      throw new NoAnswer(signal.aborted ?",
    caught: {
      by: 'packages/conformance/test/port-caller.test.ts',
      test: 'an answer that breaks off is none, and the next call is made',
    },
  },
  {
    breaks: 'the token goes to an address of https over TLS',
    file: 'packages/conformance/src/port-caller.ts',
    from: '/^https:/i.test(url)',
    to: '/^tls:/i.test(url)',
    caught: {
      by: 'packages/conformance/test/port-caller.test.ts',
      test: 'an address of https is called over TLS, and only with a certificate that this machine trusts',
    },
  },
  {
    breaks: 'a backend of an earlier version may answer one appointment without its details',
    file: 'packages/conformance/src/rules/id-rules.ts',
    from: "const LATER_DETAILED = ['appointments.get']",
    to: "const LATER_DETAILED = ['']",
    caught: {
      by: 'packages/conformance/test/conformance.test.ts',
      test: 'a backend of an earlier version may answer one appointment without its details',
    },
  },
]
