// The cookie of a sign-in by the identity provider that is under way. It holds what the service must know when the browser comes back, under
// a MAC, so that nothing is stored for visitors. It is `Lax`, because the provider's page leads back.
import { timingSafeEqual } from 'node:crypto'
import { mac, type SigningKeys } from '@clinic-data/contract/secret-keys'
import { type CookieKind, cookieValue, endCookie, setCookie } from '../sessions/cookie.ts'
import type { OpenIdAttempt } from './openid-provider.ts'

/** A person signs in at the provider, perhaps with a second factor. */
const UNDER_WAY_MS = 10 * 60 * 1000
const OPENID: CookieKind = { name: 'console_openid', seconds: UNDER_WAY_MS / 1000, sameSite: 'Lax' }
const FORM = /^([A-Za-z0-9_-]{1,2000})\.([A-Za-z0-9_-]{43})$/

export interface KeptAttempt {
  attempt: OpenIdAttempt
  endsAt: Date
}

export function attemptCookie(keys: SigningKeys, attempt: OpenIdAttempt, at: { now: Date; isSecure: boolean }): string {
  const content = Buffer.from(JSON.stringify({ attempt, ends: at.now.getTime() + UNDER_WAY_MS })).toString('base64url')
  return setCookie(OPENID, `${content}.${mac(keys.current, 'openid\n', content).toString('base64url')}`, at.isSecure)
}

/** Null without the cookie, or when it is not ours, or too old. */
export function keptAttempt(
  keys: SigningKeys,
  header: string | undefined,
  { now, isSecure }: { now: Date; isSecure: boolean },
): KeptAttempt | null {
  const [, content = '', signature = ''] = FORM.exec(cookieValue(OPENID, header, isSecure) ?? '') ?? []
  const sent = Buffer.from(signature, 'base64url')
  const macs = [...keys.byId.values()].map((key) => mac(key, 'openid\n', content))
  if (!macs.some((one) => one.length === sent.length && timingSafeEqual(one, sent))) return null
  const { attempt, ends } = JSON.parse(Buffer.from(content, 'base64url').toString()) as {
    attempt: OpenIdAttempt
    ends: number
  }
  const endsAt = new Date(ends)
  return endsAt > now ? { attempt, endsAt } : null
}

/** Makes the browser forget it. */
export function endedAttemptCookie(isSecure: boolean): string {
  return endCookie(OPENID, isSecure)
}
