// The text of a message about alerts: each reason in one sentence, with names of keys, counts and networks. No patient, no secret, no link with a token.
import type { Alert } from '@clinic-data/audit/watch/alerts'
import { reasonOf } from '@clinic-data/audit/watch/rules'
import { visibleText } from '@clinic-data/contract/visible-text'
import type { ClinicSession } from '@clinic-data/database'
import type { Message } from '../sign-in/mail.ts'

/** Nobody reads more of a message. The console shows all. */
export const MOST_NAMED = 10

export type NamedAlert = Alert & { readonly key_name: string }

export type NamedClinic = ClinicSession & { readonly name: string }

/** One message. */
export interface AlertBundle {
  clinic: NamedClinic
  alerts: readonly NamedAlert[]
  /** No other message comes today, but of what a rule stops. */
  isLast: boolean
}

/** One sentence, of a key by its name, and what the rule did. @example 'the CRM read 4,112 people in a day; its busiest day was 310 (2026-07-12).' */
export function reasonInWords(alert: NamedAlert): string {
  const { day, stopped_at } = alert
  const stopped = stopped_at === null ? '' : ` Its integration was stopped by this rule at ${stopped_at}.`
  return `${reasonOf(visibleText(alert.key_name), alert)} (${day}).${stopped}`
}

const STOPPED = [
  'What a rule has stopped is refused until somebody resumes the integration in the console. Do so if it was meant.',
  'מה שכלל עצר נדחה עד שמישהו יבטל את העצירה בקונסולה. כך כדאי לעשות אם השימוש היה מכוון.',
]

/** Nobody knows which language a person reads, so what to do stands in both. The console tells the reasons in the person's. */
export function alertMail(
  { clinic, alerts, isLast }: AlertBundle,
  { consoleUrl }: { consoleUrl: string | null },
): Omit<Message, 'to'> {
  const name = visibleText(clinic.name)
  const rest = alerts.length - MOST_NAMED
  const isStopped = alerts.some(({ stopped_at }) => stopped_at !== null)
  const lines = [
    `Something unusual was noticed at ${name}.`,
    ...alerts.slice(0, MOST_NAMED).map((alert) => `- ${reasonInWords(alert)}`),
    ...(rest > 0 ? [`- And ${rest} more.`] : []),
    'Ask the partner whether it meant to. If not, stop the integration in the console.',
    'כדאי לשאול את השותף אם התכוון לכך. אם לא, אפשר לעצור את האינטגרציה בקונסולה.',
    ...(isStopped ? STOPPED : []),
    ...(isLast
      ? ['No other mail comes today, unless a rule stops something. What else is noticed stands in the console.']
      : []),
    ...(consoleUrl === null ? [] : [`${consoleUrl}/console/activity?view=alerts`]),
  ]
  return { subject: `${name}: unusual use of a key · שימוש חריג במפתח`, text: `${lines.join('\n\n')}\n` }
}
