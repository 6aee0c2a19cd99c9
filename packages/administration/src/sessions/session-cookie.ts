// The cookie of a session: it holds the token.
import { type CookieKind, cookieValue, endCookie, setCookie } from './cookie.ts'
import { LONGEST_MS } from './sessions.ts'

const SESSION: CookieKind = { name: 'console_session', seconds: LONGEST_MS / 1000, sameSite: 'Strict' }

export function sessionCookie(token: string, isSecure: boolean): string {
  return setCookie(SESSION, token, isSecure)
}

/** Makes the browser forget the token. */
export function endedCookie(isSecure: boolean): string {
  return endCookie(SESSION, isSecure)
}

/** The token of a request's cookie. */
export function cookieToken(header: string | undefined, isSecure: boolean): string | null {
  return cookieValue(SESSION, header, isSecure)
}
