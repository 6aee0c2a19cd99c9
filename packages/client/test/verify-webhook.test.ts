// Which deliveries a receiver accepts: both signatures, replays, forged headers, rotation. Checked against the Standard Webhooks
// library.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { maskedSecret, newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { type EventEnvelope, verifyWebhook, WebhookVerificationError } from '../src/client.ts'
import { body, event, event_id, now, only, refuses, secret, sign, verify } from './signed-delivery.ts'

describe('accepted', () => {
  test('a delivery as the service signs it, with its body as text or as bytes', () => {
    for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      assert.deepEqual(verify({ body: raw }), event)
    }
  })

  test('headers in every form that programs use', () => {
    const headers = sign()
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    const forms = [headers, lower, upper, lists, new Headers(headers), new Map(Object.entries(headers))]
    for (const form of [...forms, Object.entries(headers), { ...lower, cookie: undefined, 'set-cookie': ['a', 'b'] }]) {
      assert.deepEqual(verify({ headers: form }), event)
    }
  })

  test("a delivery over HTTP, from Node's own request", async (t) => {
    const server = createServer().listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const sent = request({ port, method: 'POST', headers: sign(), agent: false })
    sent.on('error', () => undefined).end(body)
    const [received] = (await once(server, 'request')) as [IncomingMessage]
    const bytes = Buffer.concat(await received.toArray())
    t.after(() => sent.destroy())
    assert.deepEqual(verify({ headers: received.headers, body: bytes }), event)
    assert.deepEqual(verify({ headers: received.headersDistinct, body: bytes }), event)
  })

  test('either set of headers alone, and only the standard one under requireSignedTimestamp', () => {
    assert.deepEqual(verify({ headers: only('x-service-') }), event)
    assert.deepEqual(verify({ headers: only('webhook-') }), event)
    assert.deepEqual(verify({ headers: only('webhook-'), requireSignedTimestamp: true }), event)
    refuses('header_missing', { headers: only('x-service-'), requireSignedTimestamp: true })
  })

  test('the options by the names that 0.2.0 gave them', () => {
    refuses('header_missing', { headers: only('x-service-'), require_signed_timestamp: true })
    refuses('timestamp_too_old', { tolerance_seconds: Number.NaN })
  })

  test('deliveries signed by either secret during a rotation, and both signatures in one header', () => {
    const next = newWebhookSecret()
    const secrets = [next, secret]
    assert.deepEqual(verify({ secret: secrets }), event)
    assert.deepEqual(verify({ secret: secrets, headers: sign({ secret: next }) }), event)
    const both = `${sign()['webhook-signature']} ${sign({ secret: next })['webhook-signature']}`
    for (const one of secrets) {
      const headers = { ...sign({ secret: one }), 'webhook-signature': `v1a,AAAA ${both}` }
      assert.deepEqual(verify({ secret: one, headers }), event)
    }
    refuses('signature_mismatch', { secret: [next, newWebhookSecret()] })
    const mixed = { ...only('webhook-'), ...only('x-service-', sign({ secret: next })) }
    refuses('signature_mismatch', { secret: secrets, headers: mixed }, 'one secret signs a whole delivery')
  })

  test('a delivery after a rotation, by a receiver that has the former secret, the new one or both', () => {
    const [former, next] = [secret, newWebhookSecret()]
    const headers = sign({ secret: next, former_secrets: [former] })
    for (const one of [former, next, [former, next], [next, former]]) {
      assert.deepEqual(verify({ secret: one, headers }), event)
      assert.deepEqual(verify({ secret: one, headers: only('webhook-', headers) }), event)
    }
    assert.deepEqual(verify({ secret: former, headers: only('x-service-', headers) }), event)
    refuses('signature_mismatch', { secret: next, headers: only('x-service-', headers) })
    refuses('signature_mismatch', { secret: newWebhookSecret(), headers })
    const library = (one: string) => new Webhook(one).sign(event_id, now, body)
    assert.equal(headers['webhook-signature'], `${library(next)} ${library(former)}`)
  })

  test('the golden signatures', () => {
    const golden = new URL('../../contract/golden/webhook-signatures.json', import.meta.url)
    const { vectors } = JSON.parse(readFileSync(golden, 'utf8'))
    for (const vector of vectors.filter((each: { body: string }) => each.body !== '')) {
      const envelope = verifyWebhook({
        secret: `whsec_${hash('sha256', vector.seed, 'base64')}`,
        headers: {
          'x-service-signature': vector.service_signature,
          'webhook-id': vector.event_id,
          'webhook-timestamp': String(vector.timestamp),
          'webhook-signature': vector.standard_signature,
        },
        body: vector.body,
        now: new Date(vector.timestamp * 1000),
      })
      assert.equal(envelope.id, vector.event_id)
    }
  })

  test('an event of a type that a later version adds', () => {
    const later = body.replace('patient.updated', 'patient.merged')
    const headers = sign({ body: later, event_type: 'patient.merged' })
    assert.deepEqual(verify({ body: later, headers }), JSON.parse(later))
  })

  test("an event's type determines its data's type", () => {
    const typed: EventEnvelope = verify()
    if (typed.type === 'patient.updated') {
      const first_name: string | null = typed.data.first_name
      assert.equal(first_name, 'דוד 🙂')
    } else assert.fail()
  })
})

describe('replay', () => {
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const signedAt = Math.floor(now.getTime() / 1000)

  test('a delivery is accepted up to 300 seconds before and after its signing', () => {
    for (const seconds of [-300, 0, 300]) assert.deepEqual(verify({ now: later(seconds) }), event)
    refuses('timestamp_too_old', { now: later(301) })
    refuses('timestamp_too_new', { now: later(-301) })
  })

  test('the tolerance can be set, and a tolerance that is not a number accepts nothing', () => {
    assert.deepEqual(verify({ now: later(10), toleranceSeconds: 10 }), event)
    refuses('timestamp_too_old', { now: later(11), toleranceSeconds: 10 })
    assert.deepEqual(verify({ now: later(1e6), toleranceSeconds: Number.POSITIVE_INFINITY }), event)
    refuses('timestamp_too_old', { toleranceSeconds: Number.NaN })
    refuses('timestamp_too_old', { now: new Date(Number.NaN) })
  })

  test('a delivery that is both forged and old is reported as forged only', () => {
    refuses('signature_mismatch', { now: later(1000), secret: newWebhookSecret() })
  })

  test('the unsigned timestamp is ignored', () => {
    const headers = { ...sign(), 'X-Service-Timestamp': String(signedAt + 1000) }
    assert.deepEqual(verify({ headers }), event)
    refuses('timestamp_too_old', { headers, now: later(1000) })
    assert.deepEqual(verify({ headers: only('x-service-'), now: later(1000) }), event)
  })

  test('without a given clock the current time counts', () => {
    const { now: _, ...received } = { secret, headers: sign({ now: new Date() }), body, now }
    assert.deepEqual(verifyWebhook(received), event)
    assert.throws(() => verifyWebhook({ ...received, headers: sign({ now: new Date(0) }) }), {
      reason: 'timestamp_too_old',
    })
  })
})

describe('mistakes of the receiver', () => {
  test('an impossible secret is reported as a configuration error that does not quote it', () => {
    const masked = maskedSecret(secret)
    for (const wrong of ['', [], [secret, ''], masked, secret.slice(0, -4), ` ${secret}`, undefined, [undefined]]) {
      assert.throws(
        () => verify({ secret: wrong as string }),
        (error) =>
          error instanceof TypeError &&
          !(error instanceof WebhookVerificationError) &&
          !error.message.includes(secret.slice(6, 20)),
      )
    }
  })

  test('a misspelt option is told, with those that there are, and nothing is accepted without it', () => {
    for (const name of ['requireSignedTimestmap', 'requiresignedtimestamp', 'tolerance']) {
      const misspelt = { [name]: true } as object
      assert.throws(
        () => verify(misspelt),
        (error) =>
          error instanceof TypeError &&
          error.message.startsWith(
            `verifyWebhook has no option ${name}: its options are secret, headers, body, now,`,
          ) &&
          error.message.includes('requireSignedTimestamp'),
      )
    }
  })

  test('a body that was already parsed is reported differently from a forged one', () => {
    for (const parsed of [event, undefined, null, 5, ['a']]) {
      assert.throws(() => verify({ body: parsed as string }), /raw/)
    }
  })
})

describe('the Standard Webhooks library', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 50 })
  const anyBody = text.map((note) => JSON.stringify({ ...(event as object), data: { note } }))

  test('verifies what the service signs', () => {
    fc.assert(
      fc.property(anyBody, (sent) => {
        const fresh = newWebhookSecret()
        const headers = sign({ secret: fresh, body: sent, now: new Date() })
        assert.deepEqual(new Webhook(fresh).verify(sent, headers), JSON.parse(sent))
        assert.throws(() => new Webhook(secret).verify(sent, headers))
      }),
    )
  })

  test('signs what the client accepts', () => {
    fc.assert(
      fc.property(anyBody, (sent) => {
        const fresh = newWebhookSecret()
        const headers = {
          'webhook-id': event_id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': new Webhook(fresh).sign(event_id, now, sent),
        }
        assert.deepEqual(verify({ secret: fresh, headers, body: sent }), JSON.parse(sent))
        refuses('signature_mismatch', { headers, body: sent })
      }),
    )
  })
})

test('the verification needs no package', () => {
  const sources = [
    '../src/verify-webhook.ts',
    '../src/option-names.ts',
    '../../contract/src/values/webhook-signature.ts',
  ].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  const imported = sources.flatMap((source) =>
    [...source.matchAll(/^import (?!type\b)[^']*'([^']+)'/gm)].map(([, name]) => name),
  )
  assert.deepEqual(
    new Set(imported),
    new Set(['node:crypto', '@clinic-data/contract/webhook-signature', './option-names.ts']),
  )
})
