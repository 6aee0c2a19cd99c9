// The mail that brings an invitation, in the language that the owner chose.
import type { Invitation, MailLanguage, mailOutcomes } from '@clinic-data/console-contract/people-operations'
import { PEOPLE } from '@clinic-data/console-contract/people-operations'
import { visibleText } from '@clinic-data/contract/visible-text'
import type { Log } from '@clinic-data/surface/log'
import type { Mail } from '../sign-in/mail.ts'

export interface Mailed {
  invitation: Invitation
  clinicName: string
  url: string
  language: MailLanguage
}

interface Words {
  subject: (clinic: string) => string
  lines: (mailed: { clinic: string; name: string; by: string; url: string }) => readonly string[]
}

const words: Readonly<Record<MailLanguage, Words>> = {
  en: {
    subject: (clinic) => `Your account in the console of ${clinic}`,
    lines: ({ clinic, name, by, url }) => [
      `Hello ${name},`,
      `${by} invites you to the console of ${clinic}. Open this link and confirm your e-mail:`,
      url,
      `It works once, within ${PEOPLE.invitation_hours} hours. If you expected no invitation, do nothing.`,
    ],
  },
  he: {
    subject: (clinic) => `החשבון שלך בקונסולה של ${clinic}`,
    lines: ({ clinic, name, by, url }) => [
      `שלום ${name},`,
      `קיבלת מ־${by} הזמנה לקונסולה של ${clinic}. יש לפתוח את הקישור ולאשר את כתובת הדוא"ל שלך:`,
      url,
      `הקישור פועל פעם אחת, בתוך ${PEOPLE.invitation_hours} שעות. אם לא ציפית להזמנה, אין צורך לעשות דבר.`,
    ],
  },
}

/** A failure leaves the invitation as it is: the owner has the link. */
export async function mailInvitation(
  { mail = null, log }: { mail?: Mail | null; log: Log },
  mailed: Mailed,
): Promise<(typeof mailOutcomes)[number]> {
  if (mail === null) return 'off'
  const { invitation, url } = mailed
  const { subject, lines } = words[mailed.language]
  const clinic = visibleText(mailed.clinicName)
  const named = { clinic, name: visibleText(invitation.name), by: visibleText(invitation.made_by.name), url }
  try {
    await mail.send({ to: invitation.email, subject: subject(clinic), text: `${lines(named).join('\n\n')}\n` })
    return 'sent'
  } catch (error) {
    // No address and no text of the server's, which may repeat it.
    log.warn({ reason: (error as { code?: string }).code ?? 'unknown' }, 'an invitation could not be mailed')
    return 'failed'
  }
}
