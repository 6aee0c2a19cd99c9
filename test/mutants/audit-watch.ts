// Mutants of the watch over the audit log: its rules, what it learns, and who is told.
import type { Mutant } from './mutant.ts'

const RULES = 'packages/audit/test/watch-rules.test.ts'
const CLINIC = 'packages/audit/test/watch-clinic.test.ts'
const TOLD = 'packages/administration/test/alert-messages.test.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a new key has nothing usual, and does not call',
    file: 'packages/audit/src/watch/rules.ts',
    from: 'return isLongAgo(first_day, day) && days >= LEARNING_DAYS_OF_USE',
    to: 'return isLongAgo(first_day, day) || days >= LEARNING_DAYS_OF_USE',
    caught: {
      by: RULES,
      test: 'a key is new for two weeks and seven days of use, and calls nothing that needs what is usual',
    },
  },
  {
    breaks: 'what a rule calls does not become usual by itself',
    file: 'packages/audit/src/watch/usual.ts',
    from: "patients: called.has('many_patients') ? usual.patients : mostOf(usual.patients, use.patients, day),",
    to: 'patients: mostOf(usual.patients, use.patients, day),',
    caught: { by: RULES, test: 'what a rule calls is not learnt, and what was before the watch began is' },
  },
  {
    breaks: 'a day is learnt once all rows before were looked at',
    file: 'packages/audit/src/watch/watch-clinic.ts',
    from: 'last_id = ${page.last_id}, day',
    to: 'last_id = ${place.sealed}, day',
    caught: { by: CLINIC, test: 'a long log is watched in turns of a page, and none is left out' },
  },
  {
    breaks: 'at most three messages a day and way come',
    file: 'packages/administration/src/alerts/tell.ts',
    from: 'before.count >= MOST_A_DAY ||',
    to: 'before.count > MOST_A_DAY ||',
    caught: { by: TOLD, test: 'at most three mails a day and person come; what is left comes on the next day' },
  },
]
