// The cookie of a browser in which somebody has signed in to an account. Whoever guesses that account's password elsewhere neither locks this
// browser out nor makes it wait: its attempts are counted and checked apart. It opens nothing.
import { randomBytes } from 'node:crypto'
import { mac, type SigningKeys } from '@clinic-data/contract/secret-keys'
import { type CookieKind, cookieValue, setCookie } from '../sessions/cookie.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { isMacOf } from '../sessions/signed-cookie.ts'

/** So long somebody may be away. */
const KNOWN_SECONDS = 180 * 24 * 60 * 60
const BROWSER: CookieKind = { name: 'console_browser', seconds: KNOWN_SECONDS, sameSite: 'Strict' }
/** Never equal. */
const RANDOM_BYTES = 16
const FORM = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

export interface Account {
  clinic_id: string
  /** Folded. */
  email: string
}

export function accountOf({ clinic, administrator }: ActiveSession): Account {
  return { clinic_id: clinic.clinic_id, email: administrator.email }
}

export function browserCookie(keys: SigningKeys, account: Account, isSecure: boolean): string {
  const id = randomBytes(RANDOM_BYTES).toString('base64url')
  return setCookie(BROWSER, `${id}.${mac(keys.current, contentOf(id, account)).toString('base64url')}`, isSecure)
}

/** The value of a request's cookie. */
export function browserCookieValue(header: string | undefined, isSecure: boolean): string | null {
  return cookieValue(BROWSER, header, isSecure)
}

/** The id of the browser. Null when it has not signed in to this account, or to another one since. */
export function knownBrowser(keys: SigningKeys, value: string | null, account: Account): string | null {
  const [, id = '', signature = ''] = FORM.exec(value ?? '') ?? []
  return isMacOf(keys, signature, (key) => mac(key, contentOf(id, account))) ? id : null
}

function contentOf(id: string, { clinic_id, email }: Account): string {
  return ['browser', id, clinic_id, email].join('\n')
}
