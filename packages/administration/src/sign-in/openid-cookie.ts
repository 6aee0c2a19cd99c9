// The cookie of a sign-in by the identity provider that is under way. It holds what the service must know when the browser comes back. It is `Lax`,
// because the provider's page leads back.
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { endCookie } from '../sessions/cookie.ts'
import { type Kept, keptIn, type Sending, type SignedKind, signedCookie } from '../sessions/signed-cookie.ts'
import type { OpenIdAttempt } from './openid-provider.ts'

/** A person signs in at the provider, perhaps with a second factor. */
const UNDER_WAY_SECONDS = 10 * 60
const OPENID: SignedKind = { name: 'console_openid', seconds: UNDER_WAY_SECONDS, sameSite: 'Lax', purpose: 'openid' }

export interface KeptAttempt {
  attempt: OpenIdAttempt
  endsAt: Date
}

export function attemptCookie(keys: SigningKeys, attempt: OpenIdAttempt, sending: Sending): string {
  return signedCookie(keys, OPENID, attempt, sending)
}

/** Null without the cookie, or when it is not ours, or too old. */
export function keptAttempt(keys: SigningKeys, header: string | undefined, sending: Sending): KeptAttempt | null {
  const kept: Kept<OpenIdAttempt> | null = keptIn(keys, OPENID, header, sending)
  return kept && { attempt: kept.content, endsAt: kept.endsAt }
}

/** Makes the browser forget it. */
export function endedAttemptCookie(isSecure: boolean): string {
  return endCookie(OPENID, isSecure)
}
