// Asks the browser for passkeys: to make one, and to sign in with one.

import type { BodyOf, ConsolePasskey } from '@clinic-data/console-parts/api'
import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'

/** A bare address (an IPv6 one stands in brackets) has no passkeys: browsers bind them to a name. */
const ADDRESS = /^[\d.]+$|^\[/

/** Whether this browser, at this address, can use passkeys. Browsers ask for https, or for `localhost`. */
export const hasPasskeys = () => isSecureContext && browserSupportsWebAuthn() && !ADDRESS.test(location.hostname)

interface Challenge {
  challenge: string
  seconds: number
}

/** ES256, EdDSA, RS256: all devices have one of them. */
const ALGORITHMS = [-7, -8, -257].map((alg) => ({ type: 'public-key' as const, alg }))

interface MakeOptions {
  challenge: Challenge & { user_handle: string }
  /** How the device lists it. */
  email: string
  clinic: string
  known: readonly ConsolePasskey[]
}

/** @throws Error when the person or the device refuses. */
export async function makePasskey(options: MakeOptions): Promise<Omit<BodyOf<'addPasskey'>, 'name'>> {
  const { challenge, email, clinic, known } = options
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge: challenge.challenge,
      timeout: challenge.seconds * 1000,
      rp: { name: clinic },
      user: { id: challenge.user_handle, name: email, displayName: email },
      pubKeyCredParams: ALGORITHMS,
      excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id, type: 'public-key' })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    },
  })
  return { credential_id: id, client_data: response.clientDataJSON, attestation: response.attestationObject }
}

/** @throws Error when the person or the device refuses. */
export async function signWithPasskey({ challenge, seconds }: Challenge): Promise<BodyOf<'signInByPasskey'>> {
  const { id, response } = await startAuthentication({
    optionsJSON: { challenge, timeout: seconds * 1000, userVerification: 'required' },
  })
  return {
    credential_id: id,
    user_handle: response.userHandle ?? '-',
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  }
}

/** Why the browser gave no passkey. Null for another error. */
export function deviceRefusal(error: unknown): 'known' | 'unable' | 'stopped' | null {
  if (!(error instanceof WebAuthnError)) return error instanceof DOMException ? 'stopped' : null
  if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'known'
  const isUnable =
    error.code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT' ||
    error.code === 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT' ||
    error.code === 'ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG'
  return isUnable ? 'unable' : 'stopped'
}
