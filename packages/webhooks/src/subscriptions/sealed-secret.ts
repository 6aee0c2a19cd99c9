// A subscription's stored secret: encrypted, and bound to its clinic and subscription, so that one copied into another row opens
// for nobody.
//
//   const keys = signingKeys(secretKeys, 'webhook-secret')
//   const sealed = sealSecret(keys, { clinic_id, subscription_id }, secret)
//   openSecret(keys, { clinic_id, subscription_id }, sealed) === secret
//
// The bytes: length of the key id (1), key id, nonce (12), AES-256-GCM of the secret, tag (16). The clinic's and the subscription's
// id are authenticated with it.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'

const CIPHER = 'aes-256-gcm'
/** The size that GCM is made for. Random nonces of one key do not collide below 2^32 of them (NIST SP 800-38D, 8.3). */
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SecretOwner {
  readonly clinic_id: string
  readonly subscription_id: string
}

/** Seals with the current key. The result is never the same twice. */
export function sealSecret({ current }: SigningKeys, owner: SecretOwner, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, current.key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(owner))
  const id = Buffer.from(current.id)
  const encrypted = [cipher.update(secret, 'utf8'), cipher.final()]
  return Buffer.concat([Uint8Array.of(id.length), id, nonce, ...encrypted, cipher.getAuthTag()])
}

/**
 * Opens a secret that was sealed under any of the keys.
 *
 * @throws Error for the log: the key is no longer listed, or the bytes were not sealed for this owner.
 */
export function openSecret(keys: SigningKeys, owner: SecretOwner, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length)
  const id = keyIdOf(bytes)
  const key = keys.byId.get(id)
  const encryptedStart = 1 + id.length + NONCE_BYTES
  const tagStart = bytes.length - TAG_BYTES
  if (key === undefined || tagStart < encryptedStart) {
    throw new Error('the secret of a subscription is damaged, or sealed with a key that SECRET_KEYS does not list')
  }
  const nonce = bytes.subarray(1 + id.length, encryptedStart)
  const decipher = createDecipheriv(CIPHER, key.key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(boundTo(owner))
    .setAuthTag(bytes.subarray(tagStart))
  const secret = decipher.update(bytes.subarray(encryptedStart, tagStart))
  try {
    return Buffer.concat([secret, decipher.final()]).toString()
  } catch (cause) {
    throw new Error('the secret of a subscription was not sealed for it', { cause })
  }
}

/** Whether a former key sealed it. After it is sealed again, it no longer needs that key. */
export function needsResealing({ current }: SigningKeys, sealed: Uint8Array): boolean {
  return sealedBy(sealed) !== current.id
}

/** The id of the key that sealed it. */
export function sealedBy(sealed: Uint8Array): string {
  return keyIdOf(Buffer.from(sealed))
}

function keyIdOf(bytes: Buffer): string {
  return bytes.toString('latin1', 1, 1 + (bytes[0] ?? 0))
}

/** A JSON array is unambiguous: no two owners have the same text. */
function boundTo({ clinic_id, subscription_id }: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify([clinic_id, subscription_id]))
}
