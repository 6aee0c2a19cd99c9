// Mutants of the backend: the weekly mail.
import type { Mutant } from './mutant.ts'

const by = 'packages/administration/test/weekly-mail.test.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a mail is sent once a week',
    file: 'packages/administration/src/weekly-mail/due.ts',
    from: 'set due_at = ${next}, failures = 0',
    to: 'set failures = 0',
    caught: { by, test: 'a mail is sent once a week, however many dispatchers look, and none before it is due' },
  },
  {
    breaks: 'two dispatchers do not take one mail',
    file: 'packages/administration/src/weekly-mail/due.ts',
    from: 'and due_at <= ${now} for update skip locked',
    to: 'and due_at <= ${next}',
    caught: {
      by,
      test: 'a process that is killed between taking a mail and sending it sends none that week, and neither does another',
    },
  },
  {
    breaks: 'a disabled or removed person gets no mail',
    file: 'packages/administration/src/weekly-mail/due.ts',
    from: ' and disabled_at is null and removed_at is null',
    to: '',
    caught: { by, test: 'a person who was disabled or removed, or whose role may not see the home page, gets none' },
  },
  {
    breaks: 'the mail is for roles that may see the home page',
    file: 'packages/administration/src/weekly-mail/due.ts',
    from: ' || !rolesOf.home.includes(person.role)',
    to: '',
    caught: { by, test: 'a person who was disabled or removed, or whose role may not see the home page, gets none' },
  },
  {
    breaks: 'whoever has ended the mail gets none',
    file: 'packages/administration/src/weekly-mail/choice.ts',
    from: 'language === null\n        ?',
    to: 'language !== null && language === null\n        ?',
    caught: { by, test: 'whoever has chosen nothing gets no mail, and whoever has ended it none any more' },
  },
  {
    breaks: 'a mail names no address of a webhook',
    file: 'packages/administration/src/weekly-mail/text.ts',
    from: 'isWebhook ? integration.name : name',
    to: 'isWebhook ? name : integration.name',
    caught: {
      by,
      test: 'the mail tells names of partners and counts, and no patient, no secret, no address of a webhook and no token',
    },
  },
  {
    breaks: 'a mail that may be on its way is not sent again',
    file: 'packages/administration/src/weekly-mail/due.ts',
    from: 'isClear ? AGAIN_MS[failures] : undefined',
    to: 'isClear ? undefined : AGAIN_MS[failures]',
    caught: {
      by,
      test: 'a mail that the server refuses is tried again three times, then noted, and the next week begins anew',
    },
  },
]
