// Ids that the service gives: a prefix that says of what, then the time and enough randomness that no two are alike.
import { randomBytes } from 'node:crypto'

/** Crockford's base 32 in lower case: no letter is mistaken for a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10
const RANDOM_CHARACTERS = 16

/**
 * A new id. Those made later sort later (to the millisecond), so that they lie together in an index.
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
