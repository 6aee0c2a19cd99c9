// Sends the weekly mails that are due: what the home page shows, of the last week, in counts and names of partners. No patient, no secret, no token.
import type { Database } from '@clinic-data/database'
import type { Log } from '@clinic-data/surface/log'
import { readWeek } from '../integrations/home.ts'
import type { Mail } from '../sign-in/mail.ts'
import { dueMails, noteRefused, noteSent, type TakenMail, takeMail } from './due.ts'
import { weeklyText } from './text.ts'

export interface WeeklyMailing {
  mail: Mail
  /** Where browsers reach the console. Null: nobody has said. */
  consoleUrl: string | null
  log: Log
  now: () => Date
}

/** @param owner opened as the owner of the tables. @param stopping ends the round between two mails. */
export async function sendWeeklyMails(owner: Database, mailing: WeeklyMailing, stopping: AbortSignal): Promise<void> {
  for (const holder of await dueMails(owner, mailing.now())) {
    if (stopping.aborted) return
    const taken = await takeMail(owner, holder, mailing.now())
    if (taken !== null) await sendOne(owner, taken, mailing)
  }
}

async function sendOne(owner: Database, taken: TakenMail, mailing: WeeklyMailing): Promise<void> {
  const { mail, consoleUrl, log, now } = mailing
  try {
    const week = await readWeek(owner, taken.clinic, now())
    await mail.send({ to: taken.to, ...weeklyText(taken, week, { consoleUrl }) })
  } catch (error) {
    await noteRefused(owner, taken, { now: now(), isClear: isClear(error) })
    // No address and no text of the server's, which may repeat it.
    log.warn({ reason: (error as { code?: string }).code ?? 'unknown' }, 'a weekly mail could not be sent')
    return
  }
  await noteSent(owner, taken, now())
}

/** The server has said that it does not take the mail, or nobody spoke to it. After anything else it may have it. */
function isClear(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  return typeof responseCode === 'number' || command === 'CONN'
}
