// The signatures of a delivery, checked with vectors from another implementation, and the form of a secret.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { anyCharacter } from '@clinic-data/testing/any-character'
import fc from 'fast-check'
import { deliveryHeaders as published } from '../src/projections/openapi-webhooks.ts'
import { deliveryHeaders, isWebhookSecret, maskedSecret, newWebhookSecret } from '../src/values/webhook-signature.ts'

interface Vector {
  name: string
  seed: string
  event_id: string
  event_type: string
  timestamp: number
  body: string
  service_signature: string
  standard_signature: string
}

const golden = new URL('../golden/webhook-signatures.json', import.meta.url)
const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync(golden, 'utf8'))

describe('the golden signatures', () => {
  test('there are some', () => assert.ok(vectors.length >= 5))

  for (const { name, seed, body, event_id, event_type, timestamp, ...signatures } of vectors) {
    test(`${name}: the same from text and from bytes, anywhere within the second`, () => {
      const secret = `whsec_${hash('sha256', seed, 'base64')}`
      assert.ok(isWebhookSecret(secret))
      for (const sent of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
        for (const ms of [0, 999]) {
          const now = new Date(timestamp * 1000 + ms)
          assert.deepEqual(deliveryHeaders({ secret, body: sent, event_id, event_type, now }), {
            'X-Service-Signature': signatures.service_signature,
            'X-Service-Timestamp': String(timestamp),
            'X-Service-Event-Id': event_id,
            'X-Service-Event-Type': event_type,
            'webhook-id': event_id,
            'webhook-timestamp': String(timestamp),
            'webhook-signature': signatures.standard_signature,
          })
        }
      }
    })
  }
})

test('the headers of a delivery are those of the published document, in their published form', () => {
  const delivery = { body: '{}', event_id: 'evt1', event_type: 'patient.created', now: new Date() }
  const headers: Record<string, string> = deliveryHeaders({ secret: newWebhookSecret(), ...delivery })
  const parameters = Object.values(published)
  assert.deepEqual(
    Object.keys(headers),
    parameters.map(({ name }) => name),
  )
  for (const { name, schema } of parameters) {
    const { pattern = '', maxLength = 0 } = schema as { pattern?: string; maxLength?: number }
    assert.match(headers[name] ?? '', new RegExp(pattern), name)
    assert.ok((headers[name] ?? '').length <= maxLength, name)
  }
})

describe('a secret', () => {
  test('is whsec_ and 44 characters of base64, and no two are equal', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret)
    for (const secret of secrets) {
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.ok(isWebhookSecret(secret))
    }
    assert.equal(new Set(secrets).size, secrets.length)
  })

  test('shows its last four characters when masked, even if only its end was kept', () => {
    const secret = newWebhookSecret()
    assert.equal(maskedSecret(secret), `whsec_…${secret.slice(-4)}`)
    assert.equal(maskedSecret(secret.slice(-4)), maskedSecret(secret))
  })

  test('is distinguished from a masked one, a part of one, one with a blank, and any other text', () => {
    const secret = newWebhookSecret()
    const urlAlphabet = `whsec_${'-_'.repeat(21)}-=`
    for (const text of [
      ...['', 'whsec_', maskedSecret(secret), secret.slice(0, -1), secret.slice(0, -4), secret.slice(6)],
      ...[`${secret}\n`, ` ${secret}`, `${secret}=`, `whsec_${secret}`, secret.toUpperCase(), urlAlphabet],
    ]) {
      assert.equal(isWebhookSecret(text), false)
    }
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => assert.equal(isWebhookSecret(text), false)))
  })
})
