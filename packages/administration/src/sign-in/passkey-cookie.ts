// The cookie that binds the challenge of a sign-in by passkey to the browser that asked for it.
import { randomBytes } from 'node:crypto'
import { PASSKEYS } from '@clinic-data/console-contract/passkey-operations'
import { type CookieKind, cookieValue, setCookie } from '../sessions/cookie.ts'

const PASSKEY: CookieKind = { name: 'console_passkey', seconds: PASSKEYS.challenge_seconds, sameSite: 'Strict' }
const FORM = /^[A-Za-z0-9_-]{43}$/
const RANDOM_BYTES = 32

export function passkeyCookieValue(header: string | undefined, isSecure: boolean): string | null {
  const value = cookieValue(PASSKEY, header, isSecure)
  return value !== null && FORM.test(value) ? value : null
}

/** The browser's own value again, so that a second tab does not end the first one's challenge. Otherwise a new one. */
export function bindingOf(header: string | undefined, isSecure: boolean): { boundTo: string; cookie: string } {
  const boundTo = passkeyCookieValue(header, isSecure) ?? randomBytes(RANDOM_BYTES).toString('base64url')
  return { boundTo, cookie: setCookie(PASSKEY, boundTo, isSecure) }
}
