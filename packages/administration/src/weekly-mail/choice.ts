// A person's own choice of the weekly mail.
import type { MailLanguage } from '@clinic-data/console-contract/people-operations'
import type { WeeklyMail } from '@clinic-data/console-contract/weekly-mail-operations'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, sql, type Transaction, withInstants } from '@clinic-data/database'
import type { ActiveSession } from '../sessions/sessions.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { nextMonday } from './due.ts'

type Parts = Pick<ConsoleParts, 'mail'>

export async function weeklyMail(
  { mail = null }: Parts,
  consoleDatabase: ClinicDatabase,
  { clinic, administrator }: ActiveSession,
): Promise<WeeklyMail> {
  const rows = await consoleDatabase.read<NonNullable<WeeklyMail['wanted']>>(
    clinic,
    sql`select language, due_at, sent_at, failed_at from weekly_mail
      where clinic_id = ${clinic.clinic_id} and administrator_id = ${administrator.id}`,
  )
  const [row] = rows.map((one) => withInstants(one, 'due_at', 'sent_at', 'failed_at'))
  return { is_offered: mail !== null, wanted: row ?? null }
}

export interface Choosing {
  /** Null: not wanted. */
  language: MailLanguage | null
  now: Date
  beside: (tx: Transaction) => void
}

/** Another language changes nothing of the time that is due. @throws Problem 409 where no mail is sent. */
export async function setWeeklyMail(
  parts: Parts,
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { language, now, beside }: Choosing,
): Promise<WeeklyMail> {
  if (language !== null && !parts.mail)
    throw new Problem('conflict', 'The operator of the service has set no mail server.')
  const { clinic, administrator } = session
  const { clinic_id } = clinic
  await consoleDatabase.write(clinic, async (tx) => {
    await tx.query(
      language === null
        ? sql`delete from weekly_mail where clinic_id = ${clinic_id} and administrator_id = ${administrator.id}`
        : sql`insert into weekly_mail (clinic_id, administrator_id, language, due_at)
            values (${clinic_id}, ${administrator.id}, ${language}, ${nextMonday(now, clinic.time_zone)})
            on conflict (clinic_id, administrator_id) do update set language = excluded.language`,
    )
    beside(tx)
  })
  return weeklyMail(parts, consoleDatabase, session)
}
