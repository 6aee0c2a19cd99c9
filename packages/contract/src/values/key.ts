// The form of a key: a prefix for its kind, 34 random base62 characters, and a checksum of 6 characters. So typos never
// reach the store.
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The API key of an integration, the token of one of the clinic's own systems, and the secrets of connected apps: an access token, a refresh
 * token, a code, a device's code, an app's own secret, and the token by which an app reads its registration.
 */
export type KeyPrefix =
  | 'sk_live_'
  | 'it_live_'
  | 'oat_live_'
  | 'ort_live_'
  | 'oac_live_'
  | 'odc_live_'
  | 'oas_live_'
  | 'oar_live_'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 34
const CHECK_LENGTH = 6
const FORM = /^[0-9A-Za-z]{40}$/

/** Makes a new key. Its plaintext is shown once, and only `hashKey` of it is stored. */
export function makeKey(prefix: KeyPrefix = 'sk_live_'): string {
  let body: string = prefix
  for (let i = 0; i < RANDOM_LENGTH; i++) body += ALPHABET[randomInt(ALPHABET.length)]
  return body + checksum(body)
}

/** Whether a text has the form of a key and a valid checksum. Does not say whether the key exists. */
export function isWellFormedKey(text: string, prefix: KeyPrefix = 'sk_live_'): boolean {
  if (!text.startsWith(prefix) || !FORM.test(text.slice(prefix.length))) return false
  return text.slice(-CHECK_LENGTH) === checksum(text.slice(0, -CHECK_LENGTH))
}

/** SHA-256 in lowercase hex. Nothing else of a key is ever stored or sent to a backend. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < CHECK_LENGTH; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}
