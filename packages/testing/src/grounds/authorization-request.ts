// An authorization request as an app sends it (RFC 6749 and RFC 7636).
import { createHash, randomBytes } from 'node:crypto'

export const newVerifier = () => randomBytes(32).toString('base64url')

/**
 * The part of the address behind the question mark.
 *
 * @param verifier whose challenge it has.
 * @param more other parameters, or others in their place.
 */
export function authorizationRequest(
  verifier: string,
  more: { client_id: string; redirect_uri: string } & Readonly<Record<string, string>>,
): string {
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const request = { response_type: 'code', code_challenge, code_challenge_method: 'S256', ...more }
  return new URLSearchParams(request).toString()
}
