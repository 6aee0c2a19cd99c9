// Sealed secrets resist: another row, changes, rotation of the secret keys.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { parseSecretKeys, type SigningPurpose, signingKeys } from '@clinic-data/contract/secret-keys'
import { newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import fc from 'fast-check'
import { needsResealing, openSecret, sealSecret } from '../src/subscriptions/sealed-secret.ts'

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const keysOf = (entries: readonly string[], purpose: SigningPurpose = 'webhook-secret') =>
  signingKeys(parseSecretKeys(entries.join(',')), purpose)

const keys = keysOf([entry('2026a')])
const owner = { clinic_id: 'north', subscription_id: 'wh31' }
const secret = newWebhookSecret()

test('a secret opens to the sealed text, for every text and owner', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 })
  fc.assert(
    fc.property(text, text, text, (sealedText, clinic_id, subscription_id) => {
      const of = { clinic_id, subscription_id }
      assert.equal(openSecret(keys, of, sealSecret(keys, of, sealedText)), sealedText)
    }),
  )
  assert.equal(openSecret(keys, owner, new Uint8Array(sealSecret(keys, owner, secret))), secret)
})

test('the stored bytes reveal nothing of the secret, and the same secret is never stored alike', () => {
  const [one, other] = [sealSecret(keys, owner, secret), sealSecret(keys, owner, secret)]
  assert.notDeepEqual(one, other)
  for (const bytes of [one, other]) {
    for (let start = 0; start + 8 <= secret.length; start++) {
      assert.ok(!bytes.includes(secret.slice(start, start + 8)))
    }
  }
  // The nonce follows the key's id.
  const nonces = Array.from({ length: 1000 }, () => sealSecret(keys, owner, secret).toString('hex', 6, 18))
  assert.equal(new Set(nonces).size, nonces.length)
})

test("a sealed secret in another clinic's or another subscription's row does not open", () => {
  const sealed = sealSecret(keys, owner, secret)
  for (const other of [
    { ...owner, clinic_id: 'south' },
    { ...owner, subscription_id: 'wh32' },
    { clinic_id: 'wh31', subscription_id: 'north' },
    { clinic_id: 'northw', subscription_id: 'h31' },
    { clinic_id: 'north","wh31', subscription_id: '' },
  ]) {
    assert.throws(() => openSecret(keys, other, sealed), /was sealed for another one/)
  }
})

test('a sealed secret with any byte changed, cut or added does not open', () => {
  const sealed = sealSecret(keys, owner, secret)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.throws(() => openSecret(keys, owner, changed), Error, `changed at ${at}`)
    assert.throws(() => openSecret(keys, owner, sealed.subarray(0, at)), Error, `cut at ${at}`)
    assert.throws(() => openSecret(keys, owner, sealed.subarray(at + 1)), Error, `begun at ${at + 1}`)
  }
  assert.throws(() => openSecret(keys, owner, Buffer.concat([sealed, Buffer.alloc(1)])))
})

test('no other bytes open, and the errors quote neither bytes nor keys', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
      for (const stored of [bytes, Buffer.concat([Buffer.from('\x052026a'), bytes])]) {
        assert.throws(() => openSecret(keys, owner, stored), /^Error: the secret of a subscription [a-zA-Z_, ]+$/)
      }
    }),
  )
})

test('a secret sealed under a former key opens while that key is listed, must be sealed again, and does not open afterwards', () => {
  const [former, current] = [entry('old'), entry('new')]
  const sealed = sealSecret(keysOf([former]), owner, secret)
  const both = keysOf([current, former])
  assert.equal(needsResealing(keysOf([former]), sealed), false)
  assert.equal(needsResealing(both, sealed), true)
  const resealed = sealSecret(both, owner, openSecret(both, owner, sealed))
  assert.equal(needsResealing(both, resealed), false)
  assert.equal(openSecret(keysOf([current]), owner, resealed), secret)
  assert.throws(() => openSecret(keysOf([current]), owner, sealed), /SECRET_KEYS/)
})

test('another key under the same id does not open it', () => {
  assert.throws(
    () => openSecret(keysOf([entry('2026a')]), owner, sealSecret(keys, owner, secret)),
    /sealed for another one/,
  )
})

test('subkeys for other purposes do not open it', () => {
  const entries = [entry('k1')]
  const sealed = sealSecret(keysOf(entries), owner, secret)
  for (const purpose of ['cursor', 'file-link'] as const) {
    assert.throws(() => openSecret(keysOf(entries, purpose), owner, sealed))
  }
})

test("another implementation's sealed secret opens: key derivation, layout and cipher stay as they are", () => {
  // An installation's secret keys outlive its releases.
  const fixed = keysOf([`fixed:${Buffer.alloc(32, 7).toString('base64')}`])
  const sealed = Buffer.from(
    '056669786564000102030405060708090a0b58774dfbdd16cf346b72d5017014abd42ff9b7b8672d7a83e452b3a5af79293dabd1f2177a17f1ea68d5a1',
    'hex',
  )
  assert.equal(openSecret(fixed, owner, sealed), 'a text in place of a secret')
})
