// A browser that signs in by an identity provider, for tests of the console.
import type { Consent, IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { type Console, type Person, pairOf, send } from './console-ground.ts'

/** The browser comes back from the provider's page: another site. */
export async function comeBack(opened: Console, search: string, cookie: string | null) {
  const headers = { 'x-console': undefined, 'sec-fetch-site': 'cross-site', origin: undefined }
  const answer = await send(opened, `/sign-in/openid/return${search}`, { method: 'GET', cookie, headers })
  const session = /console_session=[^;,]+/.exec(answer.setCookie ?? '')?.[0] ?? null
  return { status: answer.status, place: answer.headers.location, setCookie: answer.setCookie ?? '', session }
}

/** @returns where the page is, and the cookie of the session that has begun. */
export async function signInByProvider(
  { opened, provider }: { opened: Console; provider: IdentityProvider },
  { clinic: { clinic_id } }: Pick<Person, 'clinic'>,
  consent: Consent,
) {
  const { json, setCookie } = await send(opened, '/sign-in/openid', { body: { clinic_id } })
  return comeBack(opened, provider.consent(json.data.url, consent), pairOf(setCookie))
}
