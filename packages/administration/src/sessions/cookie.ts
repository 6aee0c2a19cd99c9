// The cookies of the console. No script can read them.

export interface CookieKind {
  name: string
  seconds: number
  /** `Lax` only where a page of another site leads back to the console. */
  sameSite: 'Strict' | 'Lax'
}

/** A browser keeps a name with this beginning only with `Secure`, with the path `/` and from the host itself: no other host can set it. */
const SECURE_PREFIX = '__Host-'

export function setCookie(kind: CookieKind, value: string, isSecure: boolean): string {
  return written(kind, value, { isSecure, seconds: kind.seconds })
}

/** Makes the browser forget it. */
export function endCookie(kind: CookieKind, isSecure: boolean): string {
  return written(kind, '', { isSecure, seconds: 0 })
}

interface Writing {
  isSecure: boolean
  seconds: number
}

function written({ name, sameSite }: CookieKind, value: string, { isSecure, seconds }: Writing): string {
  const pair = isSecure ? `${SECURE_PREFIX}${name}=${value}; Path=/; Secure` : `${name}=${value}; Path=/console`
  return `${pair}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}`
}

/** The value of a request's cookie. Null when there is none, or more than one: then somebody else may have set one of them. */
export function cookieValue({ name }: CookieKind, header: string | undefined, isSecure: boolean): string | null {
  const wanted = `${isSecure ? SECURE_PREFIX : ''}${name}=`
  const found = (header ?? '').split(';').flatMap((one) => {
    const pair = one.trim()
    return pair.startsWith(wanted) ? [pair.slice(wanted.length)] : []
  })
  return found.length === 1 ? (found[0] ?? null) : null
}
