// The mail that tells the others of a clinic that somebody waits for an approval. It says who waits and not for what: mails are read elsewhere.
import { APPROVALS } from '@clinic-data/console-contract/approval-operations'
import { rolesOf } from '@clinic-data/console-contract/roles'
import { visibleText } from '@clinic-data/contract/visible-text'
import { type ClinicDatabase, sql } from '@clinic-data/database'
import type { Log } from '@clinic-data/surface/log'
import type { ActiveSession } from '../sessions/sessions.ts'
import type { Mail } from '../sign-in/mail.ts'

export interface MailParts {
  mail?: Mail | null
  log: Log
  /** Where browsers reach the console. Null: the mail names no address. */
  consoleUrl?: string | null
}

const HOUR_MS = 60 * 60 * 1000
const PAGE = '/console/approvals'

/** Nobody knows which language a person reads, so each mail has both. */
const words = {
  subject: (clinic: string) => `${clinic}: an approval is waiting · בקשה ממתינה לאישור`,
  lines: (clinic: string, by: string) => [
    `${by} asks for something in the console of ${clinic} that nobody may do alone. Look at it on the page Approvals. It waits for ${APPROVALS.hours_to_decide} hours.`,
    `בקונסולה של ${clinic} ממתינה לאישור בקשה מאת ${by}, שאיש אינו רשאי לבצע לבד. אפשר לראות אותה בדף האישורים. היא ממתינה ${APPROVALS.hours_to_decide} שעות.`,
  ],
}

interface Approver {
  email: string
}

/**
 * Mails everybody who may approve, but for whoever asked. Nothing waits for the mail server. What fails goes to the log and is not tried again: the
 * request is stored, and stands on Home and on Approvals.
 *
 * @returns once it is known to whom.
 */
export async function mailApprovers(
  { mail = null, log, consoleUrl = null }: MailParts,
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  now: Date,
): Promise<void> {
  if (mail === null) return
  const approvers = await approversOf(consoleDatabase, session, now).catch((error: unknown) => {
    log.warn({ err: error }, 'it could not be read who is to be mailed about a request for approval')
    return []
  })
  const clinic = visibleText(session.clinic.name)
  const lines = [
    ...words.lines(clinic, visibleText(session.administrator.name)),
    ...(consoleUrl ? [consoleUrl + PAGE] : []),
  ]
  for (const { email } of approvers) {
    mail
      .send({ to: email, subject: words.subject(clinic), text: `${lines.join('\n\n')}\n` })
      .catch((error: unknown) => {
        // No address and no text of the server's, which may repeat it.
        log.warn(
          { reason: (error as { code?: string }).code ?? 'unknown' },
          'a request for approval could not be mailed',
        )
      })
  }
}

/** Nobody, where the same person has asked for many things lately: each mail would say the same. */
async function approversOf(
  consoleDatabase: ClinicDatabase,
  { clinic, administrator }: ActiveSession,
  now: Date,
): Promise<Approver[]> {
  const { clinic_id } = clinic
  const [lately] = await consoleDatabase.read<{ count: number }>(
    clinic,
    sql`select count(*)::integer as count from approval where clinic_id = ${clinic_id} and asked_by = ${administrator.id}
      and asked_at > ${new Date(now.getTime() - HOUR_MS)}`,
  )
  if ((lately?.count ?? 0) > APPROVALS.most_mailed_an_hour) return []
  return consoleDatabase.read<Approver>(
    clinic,
    sql`select email from administrator where clinic_id = ${clinic_id} and role = any(${rolesOf.approve}) and disabled_at is null
      and id <> ${administrator.id} order by created_at, id limit ${APPROVALS.most_mailed}`,
  )
}
