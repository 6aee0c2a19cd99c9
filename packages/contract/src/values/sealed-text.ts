// A text that only this installation reads: encrypted, and bound to the row that it belongs to, so that one copied into another row opens for nobody.
//
//   const keys = signingKeys(secretKeys, 'webhook-secret')
//   const sealed = sealText(keys, [clinic_id, subscription_id], secret)
//   openText(keys, [clinic_id, subscription_id], sealed) === secret
//
// The bytes: length of the key id (1), key id, nonce (12), AES-256-GCM of the text, tag (16). What it is bound to is authenticated with it.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SigningKeys } from './secret-keys.ts'

const CIPHER = 'aes-256-gcm'
/** The size that GCM is made for. Random nonces of one key do not collide below 2^32 of them (NIST SP 800-38D, 8.3). */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The ids of the row. */
type Owner = readonly string[]

/** Seals with the current key. The result is never the same twice. */
export function sealText({ current }: SigningKeys, owner: Owner, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, current.key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(owner))
  const id = Buffer.from(current.id)
  const encrypted = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([Uint8Array.of(id.length), id, nonce, ...encrypted, cipher.getAuthTag()])
}

/**
 * Opens a text that was sealed under any of the keys.
 *
 * @throws Error for the log: the key is no longer listed, or the bytes were not sealed for this owner.
 */
export function openText(keys: SigningKeys, owner: Owner, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length)
  const id = keyIdOf(bytes)
  const key = keys.byId.get(id)
  const encryptedStart = 1 + id.length + NONCE_BYTES
  const tagStart = bytes.length - TAG_BYTES
  if (key === undefined || tagStart < encryptedStart) {
    throw new Error('a sealed text is damaged, or sealed with a key that SECRET_KEYS does not list')
  }
  const nonce = bytes.subarray(1 + id.length, encryptedStart)
  const decipher = createDecipheriv(CIPHER, key.key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(boundTo(owner))
    .setAuthTag(bytes.subarray(tagStart))
  const text = decipher.update(bytes.subarray(encryptedStart, tagStart))
  try {
    return Buffer.concat([text, decipher.final()]).toString()
  } catch (cause) {
    throw new Error('a sealed text was not sealed for it', { cause })
  }
}

/** The id of the key that sealed it. */
export function sealedBy(sealed: Uint8Array): string {
  return keyIdOf(Buffer.from(sealed))
}

function keyIdOf(bytes: Buffer): string {
  return bytes.toString('latin1', 1, 1 + (bytes[0] ?? 0))
}

/** A JSON array is unambiguous: no two owners have the same text. */
function boundTo(owner: Owner): Buffer {
  return Buffer.from(JSON.stringify(owner))
}
