// Makes the service's ids: a prefix for the kind, the time, and enough randomness that no two are equal.
import { randomBytes } from 'node:crypto'

/** Crockford's base 32 in lower case: no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10
const RANDOM_CHARACTERS = 16
/** The last millisecond of the year 9999. No record has a later time. */
const LATEST_MS = Date.UTC(10_000, 0) - 1

/**
 * Makes a new id. Later ids sort later (to the millisecond), so that they lie together in an index.
 *
 * @example newId('evt', new Date()) // 'evt_01kag3w2v8x4n7qbc5m0j6h9t1'
 */
export function newId(prefix: string, now: Date): string {
  let id = `${prefix}_`
  for (let shift = TIME_CHARACTERS - 1; shift >= 0; shift--) {
    id += ALPHABET[Math.floor(now.getTime() / 32 ** shift) % 32]
  }
  for (const byte of randomBytes(RANDOM_CHARACTERS)) id += ALPHABET[byte % 32]
  return id
}

/**
 * The time when an id was made, to the millisecond. Null for a text that `newId` did not make.
 *
 * @example timeOfId('evt', 'evt_01kag3w2v8x4n7qbc5m0j6h9t1') // 2025-11-20T07:50:12.072Z
 */
export function timeOfId(prefix: string, id: string): Date | null {
  const characters = id.slice(prefix.length + 1)
  if (!id.startsWith(`${prefix}_`) || characters.length !== TIME_CHARACTERS + RANDOM_CHARACTERS) return null
  let ms = 0
  for (const [i, character] of [...characters].entries()) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return null
    if (i < TIME_CHARACTERS) ms = ms * 32 + digit
  }
  return ms > LATEST_MS ? null : new Date(ms)
}
