// Mutants of the rules about whose connections last beside which others, and which apps a clinic allows.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a clinic that allows only verified apps connects no other one',
    file: 'packages/connect/src/tokens/connection-state.ts',
    from: "(clinic.allowed_apps = 'verified' and ${isVerified})",
    to: "(clinic.allowed_apps = 'verified' or ${isVerified})",
    caught: {
      by: 'packages/administration/test/app-rule.test.ts',
      test: 'where the clinic allows verified, a consent and a device get what the rule says, and the page is told before',
    },
  },
  {
    breaks: 'a person’s yes connects no app that the clinic does not allow',
    file: 'packages/connect/src/consent/new-connection.ts',
    from: 'requireAllowed(tx, clinic, app)',
    to: '',
    caught: {
      by: 'packages/administration/test/app-rule.test.ts',
      test: 'where the clinic allows none, a consent and a device get what the rule says, and the page is told before',
    },
  },
  {
    breaks: 'a stricter rule of a clinic ends the connections that it does not allow',
    file: 'packages/connect/src/consent/app-rule.ts',
    from: "const ended = await endWithin(tx, { clinic_id, which, reason: 'not_allowed', now })",
    to: 'const ended: string[] = []; void which; void endWithin',
    caught: {
      by: 'packages/administration/test/app-rule.test.ts',
      test: 'a stricter rule ends the connections that it does not allow, says before how many, and is on record with them',
    },
  },
  {
    breaks: 'a consent under way waits for a change of the clinic’s rule',
    file: 'packages/connect/src/consent/app-rule.ts',
    from: 'tx.send(sharedLock(lockFor(clinic.clinic_id)))',
    to: 'void sharedLock',
    caught: {
      by: 'packages/administration/test/app-rule.test.ts',
      test: 'no consent slips through beside a change of the rule',
    },
  },
]
