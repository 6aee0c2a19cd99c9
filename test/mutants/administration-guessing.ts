// Mutants of the backend: guesses at passwords of the console, and refused sign-ins.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an attempt is counted before its password is checked',
    file: 'packages/administration/src/sign-in/password-sign-in.ts',
    from: "  if (seconds !== null) return { state: 'locked', seconds, known: null }\n",
    to: '',
    caught: {
      by: 'packages/administration/test/lock-out.test.ts',
      test: 'ten failures lock an account out for 15 minutes, known or not, and not its administrator’s links',
    },
  },
  {
    breaks: 'strangers lock out no browser that signed in before',
    file: 'packages/administration/src/sign-in/password-sign-in.ts',
    from: "who: ['browser', account.email, browser]",
    to: "who: ['stranger', account.email]",
    caught: {
      by: 'packages/administration/test/lock-out.test.ts',
      test: 'strangers who lock an account out keep out neither a browser that signed in to it nor a change of its password',
    },
  },
  {
    breaks: 'an administrator’s id as a stranger’s email is another count',
    file: 'packages/administration/src/sign-in/sign-in-attempts.ts',
    from: 'JSON.stringify(who)',
    to: 'JSON.stringify(who.slice(1))',
    caught: {
      by: 'packages/administration/test/lock-out.test.ts',
      test: 'strangers who lock an account out keep out neither a browser that signed in to it nor a change of its password',
    },
  },
  {
    breaks: 'a browser is known at its own account alone',
    file: 'packages/administration/src/sign-in/known-browser.ts',
    from: "['browser', id, clinic_id, email].join",
    to: "['browser', id].join",
    caught: {
      by: 'packages/administration/test/lock-out.test.ts',
      test: 'too many failures of an address refuse the passwords of strangers there, and nobody else and no other way in',
    },
  },
  {
    breaks: 'who is known waits behind no stranger',
    file: 'packages/administration/src/sign-in/password.ts',
    from: 'turn.isKnown ? known : strangers',
    to: 'strangers',
    caught: {
      by: 'packages/administration/test/password.test.ts',
      test: 'strangers wait in a line of their own, in which addresses take turns and none can fill it',
    },
  },
  {
    breaks: 'a flood of refused sign-ins does not fill the log',
    file: 'packages/administration/src/sessions/sign-in-count.ts',
    from: 'const isTold = now >= nextLine',
    to: 'const isTold = true',
    caught: {
      by: 'packages/administration/test/sign-in-count.test.ts',
      test: 'sign-ins are counted by way and outcome, and a flood of refused ones is a line a minute without a name',
    },
  },
  {
    breaks: 'a lock-out lasts 15 minutes',
    file: 'packages/administration/src/sign-in/sign-in-attempts.ts',
    from: 'export const LOCKED_MS = 15 * 60 * 1000',
    to: 'export const LOCKED_MS = 14 * 60 * 1000',
    caught: {
      by: 'packages/administration/test/lock-out.test.ts',
      test: 'ten failures lock an account out for 15 minutes, known or not, and not its administrator’s links',
    },
  },
  {
    breaks: 'guesses at many emails fill no table',
    file: 'packages/administration/src/sign-in/sign-in-attempts.ts',
    from: '        await forgetStale(tx, clinic_id, staleBefore)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/lock-out.test.ts',
      test: 'attempts that lock nobody out any more are forgotten, so that guesses at many emails fill no table',
    },
  },
]
