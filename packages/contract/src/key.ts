// The form of an API key: `sk_live_`, 34 random base62 characters, and 6 that check the rest, so that typos never reach the store.
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'sk_live_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 34
const CHECK_LENGTH = 6
const FORM = /^sk_live_[0-9A-Za-z]{40}$/

/** A new key. The plaintext is shown once; only `hashKey` of it is stored. */
export function makeKey(): string {
  let body = PREFIX
  for (let i = 0; i < RANDOM_LENGTH; i++) body += ALPHABET[randomInt(ALPHABET.length)]
  return body + checksum(body)
}

/** Whether a text has the form of a key and its checksum fits: says nothing about whether the key exists. */
export function isWellFormedKey(text: string): boolean {
  return FORM.test(text) && text.slice(-CHECK_LENGTH) === checksum(text.slice(0, -CHECK_LENGTH))
}

/** SHA-256 in lowercase hex: all of a key that is ever stored or sent to a backend. */
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
