// Hands mails to the operator's mail server. The library that speaks to it is loaded for the first one.
import type { Mail } from '../sign-in/mail.ts'

export interface SmtpSettings {
  host: string
  port: number
  /** TLS from the first byte. Otherwise the connection is encrypted after STARTTLS. */
  isSecure: boolean
  /** Never TLS: what goes to this machine leaves it nowhere. */
  isHere: boolean
  login: { user: string; password: string } | null
  /** The sender's address. */
  from: string
}

/** An owner waits for the answer. */
const PATIENCE_MS = 10_000

/** @example smtpMail(config.mail) */
export function smtpMail(settings: SmtpSettings): Mail {
  const { host, port, isSecure, isHere, login, from } = settings
  return {
    send: async ({ to, subject, text }) => {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        host,
        port,
        secure: isSecure,
        requireTLS: !isSecure && !isHere,
        ignoreTLS: isHere,
        ...(login && { auth: { user: login.user, pass: login.password } }),
        dnsTimeout: PATIENCE_MS,
        connectionTimeout: PATIENCE_MS,
        greetingTimeout: PATIENCE_MS,
        socketTimeout: PATIENCE_MS,
        // A mail holds the text that we write, and nothing that it names.
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      try {
        // As an object: a text would be read as a list of addresses.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
      } finally {
        transport.close()
      }
    },
  }
}
