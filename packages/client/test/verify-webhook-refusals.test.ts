// The deliveries that a receiver refuses: forged, changed or incomplete ones.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maskedSecret, newWebhookSecret, serviceSignature } from '@clinic-data/contract/webhook-signature'
import fc from 'fast-check'
import { WebhookVerificationError } from '../src/client.ts'
import { body, event, event_id, only, refuses, secret, sign, verify, without } from './signed-delivery.ts'

describe('refused', () => {
  test('a body with any byte changed, added or cut, or serialized again', () => {
    const bytes = Buffer.from(body)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (index, change) => {
        const changed = Buffer.from(bytes)
        changed[index] = (changed[index] ?? 0) ^ change
        for (const headers of [sign(), only('x-service-'), only('webhook-')]) {
          refuses('signature_mismatch', { body: changed, headers })
          refuses('signature_mismatch', { body: bytes.subarray(0, index), headers })
        }
      }),
    )
    refuses('signature_mismatch', { body: `${body}\n` })
    refuses('signature_mismatch', { body: JSON.stringify(event, null, 1) })
  })

  test('a signature with any character changed, cut or added, even when the other signature is right', () => {
    for (const name of ['X-Service-Signature', 'webhook-signature']) {
      const value = sign()[name] ?? ''
      for (let index = 0; index < value.length; index++) {
        const other = value[index] === 'a' ? 'b' : 'a'
        const changed = value.slice(0, index) + other + value.slice(index + 1)
        refuses('signature_mismatch', { headers: { ...sign(), [name]: changed } }, `${name} at ${index}`)
        refuses('signature_mismatch', { headers: { ...sign(), [name]: value.slice(0, index) } })
      }
      for (const changed of [`${value} x`.trim().toUpperCase(), `${value}=`, `é${value.slice(1)}`, '', ' ']) {
        refuses('signature_mismatch', { headers: { ...sign(), [name]: changed } })
      }
    }
  })

  test('a delivery signed with another secret, even with the masked form of the right one', () => {
    refuses('signature_mismatch', { headers: sign({ secret: newWebhookSecret() }) })
    refuses('signature_mismatch', { headers: sign({ secret: maskedSecret(secret) }) })
    refuses('signature_mismatch', { headers: sign({ secret: '' }) })
  })

  test('a delivery whose signed id or timestamp was changed', () => {
    refuses('signature_mismatch', { headers: { ...sign(), 'webhook-timestamp': '1783837806' } })
    refuses('signature_mismatch', { headers: { ...sign(), 'webhook-id': 'evt5513' } })
  })

  test('a delivery without signatures, or with only some of the standard headers', () => {
    refuses('header_missing', { headers: {} })
    refuses('header_missing', { headers: { 'content-type': 'application/json' } })
    refuses('header_missing', { headers: { 'X-Service-Timestamp': '1783837805', 'X-Service-Event-Id': event_id } })
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      refuses('header_missing', { headers: without(name) }, name)
    }
  })

  test('a repeated header that is checked', () => {
    const checked = [
      'X-Service-Signature',
      'X-Service-Event-Id',
      'X-Service-Event-Type',
      'webhook-id',
      'webhook-timestamp',
    ]
    for (const name of checked) {
      const value = sign()[name] ?? ''
      assert.throws(() => verify({ headers: { ...sign(), [name]: [value, value] } }), WebhookVerificationError, name)
      const pairs: [string, string][] = [...Object.entries(sign()), [name.toLowerCase(), value]]
      assert.throws(() => verify({ headers: pairs }), WebhookVerificationError, name)
    }
  })

  test('a header that names another event than the signed body', () => {
    refuses('event_mismatch', { headers: { ...sign(), 'X-Service-Event-Id': 'evt5513' } })
    refuses('event_mismatch', { headers: { ...sign(), 'X-Service-Event-Type': 'patient.created' } })
    for (const set of ['webhook-', 'x-service-'] as const) {
      refuses('event_mismatch', { headers: only(set, sign({ event_id: 'evt5513' })) })
    }
  })

  test('a signed body that is not an event', () => {
    const texts = ['', ' ', 'null', '[]', '"x"', '{}', `${body}x`, body.replace('"evt5512"', '5512')]
    for (const text of [...texts, body.replace(/"data":.*/, '"data":null}'), body.replace('"type"', '"kind"')]) {
      refuses('body_malformed', { body: text, headers: sign({ body: text }) }, text)
    }
    const bytes = Uint8Array.from([...Buffer.from(body.slice(0, -3)), 0xff, 0x22, 0x7d, 0x7d])
    refuses('body_malformed', { body: bytes, headers: sign({ body: bytes }) })
  })

  test('a text with lone surrogates and one without never pass for each other', () => {
    const [lone, replaced] = [body.replace('🙂', '\ud83d'), body.replace('🙂', '\ufffd')]
    refuses('signature_mismatch', { body: lone })
    // In UTF-8 both are the same bytes, so the signature is the same.
    assert.equal(serviceSignature(secret, lone), serviceSignature(secret, replaced))
  })
})
