// The cookie of a session: it holds the token, and no script can read it.
import { LONGEST_MS } from './sessions.ts'

const NAME = 'console_session'
/** A browser keeps this name only with `Secure`, with the path `/` and from the host itself: no other host can set or replace it. */
const SECURE_NAME = `__Host-${NAME}`

export function sessionCookie(token: string, isSecure: boolean): string {
  return cookie(token, isSecure, LONGEST_MS / 1000)
}

/** Makes the browser forget the token. */
export function endedCookie(isSecure: boolean): string {
  return cookie('', isSecure, 0)
}

function cookie(value: string, isSecure: boolean, seconds: number): string {
  const name = isSecure ? `${SECURE_NAME}=${value}; Path=/; Secure` : `${NAME}=${value}; Path=/console`
  return `${name}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`
}

/** The token of a request's cookie. Null when there is none, or more than one: then somebody else may have set one of them. */
export function cookieToken(header: string | undefined, isSecure: boolean): string | null {
  const wanted = `${isSecure ? SECURE_NAME : NAME}=`
  const found = (header ?? '').split(';').flatMap((one) => {
    const pair = one.trim()
    return pair.startsWith(wanted) ? [pair.slice(wanted.length)] : []
  })
  return found.length === 1 ? (found[0] ?? null) : null
}
