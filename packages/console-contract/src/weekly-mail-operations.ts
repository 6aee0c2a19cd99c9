// The operations of the weekly mail about the clinic's integrations: each person chooses it alone.
import { choice, Instant, nullable, object, type Static, strictObject, Type } from '@clinic-data/contract/schema'
import { consoleOperation } from './console-operation.ts'
import { mailLanguages } from './people-operations.ts'

const language = choice(mailLanguages)

export const WeeklyMail = object({
  is_offered: Type.Boolean({ description: 'The operator has set a mail server.' }),
  wanted: nullable(
    object({
      language,
      due_at: Instant,
      sent_at: nullable(Instant, { description: 'When the mail server took the latest one.' }),
      failed_at: nullable(Instant, { description: 'When the mail of a week was given up.' }),
    }),
    { description: 'Null: not wanted, as it is at first.' },
  ),
})

export type WeeklyMail = Static<typeof WeeklyMail>

export const weeklyMailOperations = {
  weeklyMail: consoleOperation({
    id: 'console.weekly_mail',
    method: 'GET',
    path: '/console/api/weekly-mail',
    output: object({ data: WeeklyMail }),
  }),
  /** Null: not wanted any more. 409 where no mail server is set. */
  setWeeklyMail: consoleOperation({
    id: 'console.weekly_mail.set',
    method: 'POST',
    path: '/console/api/weekly-mail',
    audited: 'console.weekly_mail.set',
    body: strictObject({ language: nullable(language) }),
    output: object({ data: WeeklyMail }),
  }),
} as const
