// A subscription's stored secret: sealed for its clinic and subscription.
//
//   const keys = signingKeys(secretKeys, 'webhook-secret')
//   const sealed = sealSecret(keys, { clinic_id, subscription_id }, secret)
//   openSecret(keys, { clinic_id, subscription_id }, sealed) === secret
import { openText, sealedBy, sealText } from '@clinic-data/contract/sealed-text'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'

export interface SecretOwner {
  readonly clinic_id: string
  readonly subscription_id: string
}

/** Seals with the current key. The result is never the same twice. */
export function sealSecret(keys: SigningKeys, { clinic_id, subscription_id }: SecretOwner, secret: string): Buffer {
  return sealText(keys, [clinic_id, subscription_id], secret)
}

/**
 * Opens a secret that was sealed under any of the keys.
 *
 * @throws Error for the log: the key is no longer listed, or the bytes were not sealed for this owner.
 */
export function openSecret(keys: SigningKeys, { clinic_id, subscription_id }: SecretOwner, sealed: Uint8Array): string {
  try {
    return openText(keys, [clinic_id, subscription_id], sealed)
  } catch (cause) {
    throw new Error(
      'the secret of a subscription is damaged, was sealed for another one, or was sealed with a key that SECRET_KEYS does not list',
      { cause },
    )
  }
}

/** Whether a former key sealed it. After it is sealed again, it no longer needs that key. */
export function needsResealing({ current }: SigningKeys, sealed: Uint8Array): boolean {
  return sealedBy(sealed) !== current.id
}
