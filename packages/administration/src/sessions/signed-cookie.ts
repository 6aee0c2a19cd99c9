// Cookies that hold what the service must know when the browser comes again, under a MAC, so that nothing is stored for it here.
import { timingSafeEqual } from 'node:crypto'
import { mac, type SecretKey, type SigningKeys } from '@clinic-data/contract/secret-keys'
import { type CookieKind, cookieValue, setCookie } from './cookie.ts'

export interface SignedKind extends CookieKind {
  /** The MAC holds it: a cookie of another kind is none of this one. */
  purpose: string
}

export interface Sending {
  now: Date
  isSecure: boolean
}

export interface Kept<Content> {
  content: Content
  endsAt: Date
}

const FORM = /^([A-Za-z0-9_-]{1,2000})\.([A-Za-z0-9_-]{43})$/

export function signedCookie(keys: SigningKeys, kind: SignedKind, content: unknown, sending: Sending): string {
  const ends = sending.now.getTime() + kind.seconds * 1000
  const text = Buffer.from(JSON.stringify({ content, ends })).toString('base64url')
  return setCookie(kind, `${text}.${macOf(keys.current, kind, text).toString('base64url')}`, sending.isSecure)
}

/** Null without the cookie, or when it is not ours, or too old. @template Content what this kind was written with */
export function keptIn<Content>(
  keys: SigningKeys,
  kind: SignedKind,
  header: string | undefined,
  { now, isSecure }: Sending,
): Kept<Content> | null {
  const [, text = '', signature = ''] = FORM.exec(cookieValue(kind, header, isSecure) ?? '') ?? []
  if (!isMacOf(keys, signature, (key) => macOf(key, kind, text))) return null
  const { content, ends } = JSON.parse(Buffer.from(text, 'base64url').toString()) as { content?: Content; ends: number }
  const endsAt = new Date(ends)
  // A version of before wrote it in another form.
  return content !== undefined && endsAt > now ? { content, endsAt } : null
}

/** Compared as text: base64url has four spellings of the same 32 bytes, and only one of them was ours. */
export function isMacOf(keys: SigningKeys, signature: string, make: (key: SecretKey) => Buffer): boolean {
  const sent = Buffer.from(signature)
  return [...keys.byId.values()].some((key) => {
    const expected = Buffer.from(make(key).toString('base64url'))
    return expected.length === sent.length && timingSafeEqual(expected, sent)
  })
}

function macOf(key: SecretKey, { purpose }: SignedKind, text: string): Buffer {
  return mac(key, `${purpose}\n`, text)
}
