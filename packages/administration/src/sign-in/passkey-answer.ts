// Checks what a browser answered for a passkey, by the library that reads WebAuthn's formats. It is loaded for the first answer.
import { PASSKEYS } from '@clinic-data/console-contract/passkey-operations'
import type { OwnAddress } from './own-address.ts'

/** Base64url, as the browser writes them. */
export interface AddedAnswer {
  credential_id: string
  client_data: string
  attestation: string
}

/** Base64url, as the browser writes them. */
export interface SignedAnswer {
  credential_id: string
  user_handle: string
  client_data: string
  authenticator_data: string
  signature: string
}

export interface StoredPasskey {
  credential_id: string
  public_key: string
  counter: number
}

interface Expected {
  challenge: string
  address: OwnAddress
}

/** The challenge that an answer says it answers. Null for an answer of another form. */
export function challengeOf({ client_data }: { client_data: string }): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(client_data, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

/** The passkey of an answer. Null unless it was made for this challenge and this address, by a person whom the device knows. */
export async function checkAdded(answer: AddedAnswer, { challenge, address }: Expected): Promise<StoredPasskey | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { client_data: clientDataJSON, attestation: attestationObject } = answer
  const checked = await verifyRegistrationResponse({
    response: { ...credentialOf(answer), response: { clientDataJSON, attestationObject } },
    expectedChallenge: challenge,
    expectedOrigin: address.origin,
    expectedRPID: address.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...PASSKEYS.algorithms],
  }).catch(refused)
  if (!checked?.verified || checked.registrationInfo.credential.id !== answer.credential_id) return null
  const { id, publicKey, counter } = checked.registrationInfo.credential
  return { credential_id: id, public_key: Buffer.from(publicKey).toString('base64url'), counter }
}

/**
 * The counter of an answer. Null unless the passkey signed this challenge for this address and the person was verified. A counter that
 * does not grow is refused too: then there is a copy of the passkey.
 */
export async function checkSigned(
  answer: SignedAnswer,
  stored: StoredPasskey,
  { challenge, address }: Expected,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { client_data: clientDataJSON, authenticator_data: authenticatorData, signature } = answer
  const checked = await verifyAuthenticationResponse({
    response: { ...credentialOf(answer), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: challenge,
    expectedOrigin: address.origin,
    expectedRPID: address.rpId,
    requireUserVerification: true,
    credential: {
      id: stored.credential_id,
      publicKey: Buffer.from(stored.public_key, 'base64url'),
      counter: stored.counter,
    },
  }).catch(refused)
  return checked?.verified ? checked.authenticationInfo.newCounter : null
}

function credentialOf({ credential_id }: { credential_id: string }) {
  return { id: credential_id, rawId: credential_id, type: 'public-key' as const, clientExtensionResults: {} }
}

/** The library throws for every answer that does not fit. All of them are told alike. */
function refused(): null {
  return null
}
