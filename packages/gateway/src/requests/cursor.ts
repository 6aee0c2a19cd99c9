// The cursor of a page: the position after which the next page begins. It is signed, encrypted (a position may hold a name, and
// cursors appear in URLs), and bound to its clinic, operation and filters.
//
//   sealCursor(keys, { clinic_id, operation: 'patients.list', filters: { phone: '…' } }, position) → text
//   openCursor(keys, binding, text) → position, or null for anything that we did not seal under exactly this binding
//
// The text is base64url of: length of the key id (1 byte), key id, MAC (16 bytes), position (JSON, encrypted). The MAC covers the
// binding and the plain position and is also the cipher's counter (the SIV construction), so equal pages have equal cursors, and
// equal entity tags.

import { createCipheriv, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { MAX, type Position } from '@clinic-data/contract'
import { mac, type SecretKey, type SigningKeys } from '@clinic-data/contract/secret-keys'

/** Half of HMAC-SHA256: guessing needs 2^128 attempts (RFC 2104, section 5, allows it). */
const MAC_BYTES = 16

export interface CursorBinding {
  readonly clinic_id: string
  /** The operation's id. */
  readonly operation: string
  /** Path parameters and all query parameters except `cursor` and `limit`, as validated. Absent ones may be undefined. */
  readonly filters: Readonly<Record<string, unknown>>
}

/**
 * @returns at most `MAX.cursor` characters.
 * @throws RangeError when the position is too long for that: sort keys and ids together may take some 3,000 bytes.
 */
export function sealCursor({ current }: SigningKeys, binding: CursorBinding, position: Position): string {
  const payload = JSON.stringify(position)
  const tag = mac(current, canonical(binding), payload).subarray(0, MAC_BYTES)
  const id = Buffer.from(current.id)
  const bytes = Buffer.concat([Uint8Array.of(id.length), id, tag, masked(current, tag, Buffer.from(payload))])
  const cursor = bytes.toString('base64url')
  if (cursor.length > MAX.cursor)
    throw new RangeError(`a position of ${payload.length} characters does not fit into a cursor`)
  return cursor
}

/** The position that was sealed under the same binding, or null. */
export function openCursor(keys: SigningKeys, binding: CursorBinding, cursor: string): Position | null {
  if (cursor.length > MAX.cursor) return null
  const bytes = Buffer.from(cursor, 'base64url')
  // The decoder silently drops foreign characters and stray bits. Only the text that we would write is accepted.
  if (bytes.toString('base64url') !== cursor) return null
  const macStart = 1 + (bytes[0] ?? 0)
  const payloadStart = macStart + MAC_BYTES
  if (bytes.length <= payloadStart) return null
  const key = keys.byId.get(bytes.toString('latin1', 1, macStart))
  if (key === undefined) return null
  const tag = bytes.subarray(macStart, payloadStart)
  const payload = masked(key, tag, bytes.subarray(payloadStart))
  const expected = mac(key, canonical(binding), payload).subarray(0, MAC_BYTES)
  if (!timingSafeEqual(expected, tag)) return null
  return JSON.parse(payload.toString()) as Position
}

/**
 * One text for each binding. The order of the filters does not matter. Names and values alternate in a JSON array, which is unambiguous.
 */
function canonical({ clinic_id, operation, filters }: CursorBinding): string {
  const parts: unknown[] = [clinic_id, operation]
  for (const name of Object.keys(filters).sort()) {
    if (filters[name] !== undefined) parts.push(name, filters[name])
  }
  return JSON.stringify(parts)
}

const maskingKeys = new WeakMap<SecretKey, KeyObject>()

/** Encrypts or decrypts: AES-256 in counter mode, under a key that is derived for this purpose only. */
function masked(key: SecretKey, counter: Buffer, bytes: Buffer): Buffer {
  let masking = maskingKeys.get(key)
  if (masking === undefined) {
    masking = createSecretKey(mac(key, 'the position of a cursor'))
    maskingKeys.set(key, masking)
  }
  return createCipheriv('aes-256-ctr', masking, counter).update(bytes)
}
