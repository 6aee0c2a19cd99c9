// The answers of the authorization endpoint: addresses to which the browser goes back, each with `iss` (RFC 9207).
import type { OAuthErrorCode } from '../oauth-error.ts'

interface ReturnPlace {
  readonly redirectUri: string
  readonly state: string | null
}

export function codeAddress(to: ReturnPlace, baseUrl: string, code: string): string {
  return addressWith(to, baseUrl, { code })
}

export function errorAddress(
  to: ReturnPlace,
  baseUrl: string,
  { code: error, message: error_description }: { code: OAuthErrorCode; message: string },
): string {
  return addressWith(to, baseUrl, { error, error_description })
}

/** The registered address stays as it is, to the letter. */
function addressWith({ redirectUri, state }: ReturnPlace, iss: string, answer: Record<string, string>): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`
}
