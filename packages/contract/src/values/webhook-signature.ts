// Signs a delivery, and makes its subscription's secret: what the sender writes and every receiver checks.
//
// Each delivery has two signatures. `X-Service-Signature` covers the body alone, so its timestamp proves nothing. The headers of
// Standard Webhooks (standardwebhooks.com) cover id, timestamp and body. Both are HMAC-SHA256: the first is keyed by the whole
// secret as text, the second by the bytes after `whsec_`, decoded from base64.
//
// Imports only the platform: the client carries this file into other people's programs.

import { createHmac, createSecretKey, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
/** As long as the digest. A longer secret would not make HMAC-SHA256 stronger. */
const SECRET_BYTES = 32

/** The last characters of a secret that stay readable, to distinguish secrets. */
export const SHOWN_CHARACTERS = 4

/** Makes a subscription's secret: `whsec_` and the base64 of 32 random bytes. It is shown once. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** `whsec_…` and the last four characters. Takes the secret, or the kept part of its end. */
export function maskedSecret(secret: string): string {
  return `${PREFIX}…${secret.slice(-SHOWN_CHARACTERS)}`
}

/** Whether a text has the form of a secret. A masked or shortened one, or one copied with a blank, does not. */
export function isWebhookSecret(text: string): boolean {
  const bytes = decoded(text)
  return bytes.length === SECRET_BYTES && text === PREFIX + bytes.toString('base64')
}

function decoded(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64')
}

/** The value of `X-Service-Signature`: `sha256=` and the lowercase hex HMAC of the raw body. */
export function serviceSignature(secret: string, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

export interface SignedMessage {
  readonly id: string
  /** Unix seconds, as the header writes them. */
  readonly timestamp: string
  readonly body: string | Uint8Array
}

/** One signature of `webhook-signature`: `v1,` and the base64 HMAC of `id.timestamp.body`. */
export function standardSignature(secret: string, { id, timestamp, body }: SignedMessage): string {
  // A key that is given as bytes takes three times as long.
  const key = createSecretKey(decoded(secret))
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

export interface SignableDelivery {
  readonly secret: string
  /** After a rotation: the secrets before it that still sign, the latest first. */
  readonly former_secrets?: readonly string[]
  /** The exact bytes that are sent. A string stands for its UTF-8. */
  readonly body: string | Uint8Array
  readonly event_id: string
  readonly event_type: string
  readonly now: Date
}

/**
 * The headers of one attempt (specification, Headers on every delivery) and those of Standard Webhooks. After a rotation
 * `webhook-signature` lists a signature of each secret. `X-Service-Signature` has room for one: that of the oldest secret, which
 * every receiver has.
 */
export function deliveryHeaders({ secret, former_secrets = [], body, event_id, event_type, now }: SignableDelivery) {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    'X-Service-Signature': serviceSignature(former_secrets.at(-1) ?? secret, body),
    'X-Service-Timestamp': timestamp,
    'X-Service-Event-Id': event_id,
    'X-Service-Event-Type': event_type,
    'webhook-id': event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': [secret, ...former_secrets]
      .map((each) => standardSignature(each, { id: event_id, timestamp, body }))
      .join(' '),
  }
}
