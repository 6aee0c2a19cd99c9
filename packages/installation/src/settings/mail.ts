// Reads the settings of the mail server that sends invitations: both of them, or none.
import type { SmtpSettings } from '@clinic-data/administration/people/smtp-mail'
import { isEmail } from '@clinic-data/contract/formats'
import { isLoopback } from './addresses.ts'
import { ConfigError } from './config-error.ts'
import type { Settings } from './setting-names.ts'

/** Where mail programs hand messages over: with TLS from the first byte, and with TLS after STARTTLS. */
const PORTS: Readonly<Record<string, number>> = { 'smtps:': 465, 'smtp:': 587 }

/** @throws ConfigError */
export function mailOf(value: Settings): SmtpSettings | null {
  const [url, from] = [value('SMTP_URL'), value('MAIL_FROM')]
  if (url === null && from === null) return null
  if (url === null || from === null) throw new ConfigError('SMTP_URL and MAIL_FROM belong together: set both, or none')
  const read = URL.canParse(url) ? new URL(url) : null
  const usualPort = PORTS[read?.protocol ?? '']
  const isPlain = read !== null && ['', '/'].includes(read.pathname) && read.search === '' && read.hash === ''
  if (read === null || usualPort === undefined || read.hostname === '' || !isPlain) throw new ConfigError(WRONG_URL)
  if (!isEmail(from)) throw new ConfigError('MAIL_FROM must be an e-mail, for example console@example.com')
  const [user, password] = [partOf(read.username), partOf(read.password)]
  if ((user === '') !== (password === '')) throw new ConfigError(WRONG_URL)
  const host = read.hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    host,
    port: read.port === '' ? usualPort : Number(read.port),
    isSecure: read.protocol === 'smtps:',
    // There it often has no certificate.
    isHere: read.protocol === 'smtp:' && isLoopback(host),
    login: user === '' ? null : { user, password },
    from,
  }
}

function partOf(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ConfigError(WRONG_URL)
  }
}

const WRONG_URL =
  'SMTP_URL must be smtps://user:password@mail.example.com or smtp://…, with the user and the password escaped as in addresses, or without both'
