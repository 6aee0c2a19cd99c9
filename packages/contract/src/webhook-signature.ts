// How a delivery is signed, and its subscription's secret: what the sender writes and every receiver checks.
//
// Two signatures go with each delivery. `X-Service-Signature` covers the body alone, so its timestamp proves nothing;
// the headers of Standard Webhooks (standardwebhooks.com) cover id, timestamp and body. Both are HMAC-SHA256: the first is
// keyed by the whole secret as text, the second by the bytes that stand after `whsec_` in base64.
//
// Imports nothing but the platform: the client carries it into other people's programs.

import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
/** As long as the digest: more would not make HMAC-SHA256 stronger. */
const SECRET_BYTES = 32

/** So many last characters of a secret are kept readable, to tell one from another. */
export const SHOWN_CHARACTERS = 4

/** A new secret of a subscription: `whsec_` and the base64 of 32 random bytes. It is shown once. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** `whsec_…` and the last four characters; takes the secret, or as much of its end as was kept. */
export function maskedSecret(secret: string): string {
  return `${PREFIX}…${secret.slice(-SHOWN_CHARACTERS)}`
}

/** Whether a text has the form of a secret: what is masked, cut short or copied with a blank has not. */
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
  return `v1,${createHmac('sha256', decoded(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

export interface SignableDelivery {
  readonly secret: string
  /** The exact bytes that are sent; a string is its UTF-8. */
  readonly body: string | Uint8Array
  readonly event_id: string
  readonly event_type: string
  readonly now: Date
}

/** The headers of one attempt (specification, Headers on every delivery), and those of Standard Webhooks. */
export function deliveryHeaders({ secret, body, event_id, event_type, now }: SignableDelivery) {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    'X-Service-Signature': serviceSignature(secret, body),
    'X-Service-Timestamp': timestamp,
    'X-Service-Event-Id': event_id,
    'X-Service-Event-Type': event_type,
    'webhook-id': event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignature(secret, { id: event_id, timestamp, body }),
  }
}
