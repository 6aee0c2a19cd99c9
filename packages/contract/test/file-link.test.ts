// Signed file links resist: changes, time, rotation of the secret keys.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { anyCharacter } from '@clinic-data/testing/any-character'
import { sized } from '@clinic-data/testing/run/size'
import fc from 'fast-check'
import { openFileLink, signFileLink } from '../src/file-link.ts'
import { parseSecretKeys, signingKeys } from '../src/values/secret-keys.ts'

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const keysOf = (...entries: string[]) => signingKeys(parseSecretKeys(entries.join(',')), 'file-link')

const keys = keysOf(entry('k1'))
const file = { clinic_id: 'north', key_id: 'key_1', file_id: 'f-77' }
const now = Date.parse('2026-07-12T09:30:00.400Z')

function partsOf(url: string) {
  const { pathname, searchParams } = new URL(url)
  return {
    opaque: pathname.slice('/files/'.length),
    exp: searchParams.get('exp') ?? '',
    sig: searchParams.get('sig') ?? '',
  }
}
const sign = (under = keys) => partsOf(signFileLink(under, 'https://api.example.com', file, now).url)

test('a link with any ids opens to its signed content', () => {
  const ids = fc.string({ unit: 'grapheme', maxLength: 60 })
  fc.assert(
    fc.property(fc.record({ clinic_id: ids, key_id: ids, file_id: ids }, { noNullPrototype: true }), (reference) => {
      const { url } = signFileLink(keys, 'https://api.example.com', reference, now)
      assert.deepEqual(openFileLink(keys, partsOf(url), now), reference)
    }),
  )
})

test('a link opens in the last millisecond of its fifteen minutes, and has expired in the next', () => {
  const { expires_at } = signFileLink(keys, 'https://api.example.com', file, now)
  assert.equal(expires_at, Date.parse('2026-07-12T09:45:00Z'))
  assert.deepEqual(openFileLink(keys, sign(), expires_at - 1), file)
  assert.equal(openFileLink(keys, sign(), expires_at), 'expired')
})

test('a longer life cannot be written into a link', () => {
  const link = sign()
  for (const exp of [`${Number(link.exp) + 1}`, `0${link.exp}`, `${link.exp}.0`, ` ${link.exp}`, '9e9', '', '-1']) {
    assert.equal(openFileLink(keys, { ...link, exp }, now), 'invalid')
  }
})

test('the signature is checked before the time: a forged link that has expired is invalid, not expired', () => {
  const link = sign()
  const later = now + 3_600_000
  assert.equal(openFileLink(keys, link, later), 'expired')
  const forged = (link.sig.startsWith('A') ? 'B' : 'A') + link.sig.slice(1)
  assert.equal(openFileLink(keys, { ...link, sig: forged }, later), 'invalid')
})

test('a link with any character changed, cut or added is invalid', () => {
  const link = sign()
  for (const part of ['opaque', 'sig'] as const) {
    const text = link[part]
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === 'A' ? 'B' : 'A'
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      assert.equal(openFileLink(keys, { ...link, [part]: changed }, now), 'invalid', `${part} at ${at}`)
      assert.equal(openFileLink(keys, { ...link, [part]: text.slice(0, at) }, now), 'invalid')
    }
    for (const added of ['=', 'A', ' ', '\n', '.1']) {
      assert.equal(openFileLink(keys, { ...link, [part]: text + added }, now), 'invalid')
    }
  }
})

test('no text makes the opening throw', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.base64String(),
    fc.json().map((j) => Buffer.from(j).toString('base64url')),
  )
  fc.assert(
    fc.property(text, text, text, (opaque, exp, sig) => {
      assert.equal(openFileLink(keys, { opaque, exp, sig }, now), 'invalid')
    }),
    { numRuns: sized({ everyday: 200, long: 5000 }) },
  )
})

test('a link signed under a former secret key opens while that key is listed, and not afterwards', () => {
  const [former, current] = [entry('old'), entry('new')]
  const link = sign(keysOf(former))
  assert.deepEqual(openFileLink(keysOf(current, former), link, now), file)
  assert.equal(openFileLink(keysOf(current), link, now), 'invalid')
})

test("a cursor signed with the same secret key is not a link's signature", () => {
  const list = entry('k1')
  const link = sign(signingKeys(parseSecretKeys(list), 'cursor'))
  assert.equal(openFileLink(keysOf(list), link, now), 'invalid')
})
