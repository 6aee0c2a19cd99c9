// The text of the weekly mail, in the language that its person chose. Names of partners, keys and apps are what the clinic's people wrote: without
// invisible characters, and each in its own direction. A webhook is named by its partner alone, because its address may hold a secret.
import type { Home } from '@clinic-data/console-contract/integration-operations'
import type { MailLanguage } from '@clinic-data/console-contract/people-operations'
import { visibleText } from '@clinic-data/contract/visible-text'
import type { Message } from '../sign-in/mail.ts'
import type { TakenMail } from './due.ts'

/** As many as a mail is read to. The console shows all. */
const MOST_NAMED = 10

/** The parts of the home page that a mail tells. */
export type Week = Pick<Home, 'integrations' | 'news' | 'expiring'>

type News = Home['news'][number]
type Ending = Home['expiring'][number]

interface Words {
  subject: (clinic: string) => string
  hello: (name: string, clinic: string) => string
  integrations: (number: number) => string
  fresh: string
  kinds: Readonly<Record<News['kind'], string>>
  failing: string
  failures: (name: string, number: number) => string
  readers: string
  patients: (name: string, number: number) => string
  ends: string
  endKinds: Readonly<Record<Ending['kind'], string>>
  none: string
  more: (number: number) => string
  setting: (address: string | null) => string
}

const words: Readonly<Record<MailLanguage, Words>> = {
  en: {
    subject: (clinic) => `The integrations of ${clinic} this week`,
    hello: (name, clinic) => `Hello ${name}, this is what ${clinic} has with its partners.`,
    integrations: (number) => `Integrations: ${number}`,
    fresh: 'New in the last seven days',
    kinds: {
      key: 'New key',
      connection: 'Connected',
      webhook: 'New webhook',
      stopped: 'Stopped',
      disabled_webhook: 'Webhook disabled',
    },
    failing: 'What fails',
    failures: (name, number) => `${name}: ${number} failing webhooks`,
    readers: 'Who read most in the last seven days',
    patients: (name, number) => `${name}: ${number} people, each once a key and day`,
    ends: 'What runs out within 14 days',
    endKinds: { key: 'Key', connection: 'Connected app' },
    none: 'Nothing.',
    more: (number) => `and ${number} more`,
    setting: (address) =>
      `You chose this mail on the page "Your account" of the console, and end it there${address === null ? '.' : `: ${address}`}`,
  },
  he: {
    subject: (clinic) => `האינטגרציות של ${clinic} השבוע`,
    hello: (name, clinic) => `שלום ${name}, זה מה שיש למרפאה ${clinic} עם השותפים שלה.`,
    integrations: (number) => `אינטגרציות: ${number}`,
    fresh: 'חדש בשבעת הימים האחרונים',
    kinds: {
      key: 'מפתח חדש',
      connection: 'חיבור חדש',
      webhook: 'Webhook חדש',
      stopped: 'נעצר',
      disabled_webhook: 'Webhook הושבת',
    },
    failing: 'מה נכשל',
    failures: (name, number) => `${name}: ${number} Webhooks נכשלים`,
    readers: 'מי קרא הכי הרבה בשבעת הימים האחרונים',
    patients: (name, number) => `${name}: ${number} אנשים, כל אחד פעם אחת למפתח וליום`,
    ends: 'מה פג בתוך 14 יום',
    endKinds: { key: 'מפתח', connection: 'אפליקציה מחוברת' },
    none: 'אין.',
    more: (number) => `ועוד ${number}`,
    setting: (address) =>
      `בחרת לקבל את ההודעה הזאת בעמוד "החשבון שלך" בדפי הניהול, ושם אפשר להפסיק אותה${address === null ? '.' : `: ${address}`}`,
  },
}

export function weeklyText(
  { clinic, name, language }: Pick<TakenMail, 'clinic' | 'name' | 'language'>,
  { integrations, news, expiring }: Week,
  { consoleUrl }: { consoleUrl: string | null },
): Omit<Message, 'to'> {
  const said = words[language]
  const failing = integrations.filter(({ failing_webhooks }) => failing_webhooks > 0)
  const readers = integrations
    .filter(({ patients_read_today: read }) => read > 0)
    .sort((a, b) => b.patients_read_today - a.patients_read_today)
  const part = (title: string, lines: readonly string[]) => {
    const rest = lines.length - MOST_NAMED
    const shown = [...lines.slice(0, MOST_NAMED), ...(rest > 0 ? [said.more(rest)] : [])]
    return [title, ...(lines.length === 0 ? [said.none] : shown).map((line) => `- ${line}`)].join('\n')
  }
  const clinicName = visibleText(clinic.name)
  const paragraphs = [
    said.hello(isolated(name), isolated(clinic.name)),
    said.integrations(integrations.length),
    part(
      said.fresh,
      news.map((one) => `${said.kinds[one.kind]}: ${namedNews(one)}`),
    ),
    part(
      said.failing,
      failing.map((one) => said.failures(isolated(one.name), one.failing_webhooks)),
    ),
    part(
      said.readers,
      readers.map((one) => said.patients(isolated(one.name), one.patients_read_today)),
    ),
    part(
      said.ends,
      expiring.map((one) => `${said.endKinds[one.kind]}: ${isolated(one.name)}, ${one.expires_at.slice(0, DAY)}`),
    ),
    said.setting(consoleUrl === null ? null : `${consoleUrl}/console/account`),
  ]
  return { subject: said.subject(clinicName), text: `${paragraphs.join('\n\n')}\n` }
}

/** `2026-11-26` */
const DAY = 10

function namedNews({ kind, name, integration }: News): string {
  const isWebhook = kind === 'webhook' || kind === 'disabled_webhook'
  return isolated(isWebhook ? integration.name : name)
}

/** In a line of the other direction. */
function isolated(name: string): string {
  return `\u2068${visibleText(name)}\u2069`
}
