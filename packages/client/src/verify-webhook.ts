// Checks that the service signed a delivery, and returns its event.
//
// Uses `node:crypto`, which Node.js, Bun and Deno all have, instead of the Web Crypto API. That one is asynchronous, and a check
// without its `await` would accept every delivery.
import { timingSafeEqual } from 'node:crypto'
import {
  isWebhookSecret,
  type SignedMessage,
  serviceSignature,
  standardSignature,
} from '@clinic-data/contract/webhook-signature'
import type { EventEnvelope } from './event-envelope.ts'
import { checkNames, type NamesOf } from './option-names.ts'

/** The tolerance of Standard Webhooks, for clocks that differ and slow networks. */
export const TOLERANCE_SECONDS = 300

/** `Headers`, Node's `request.headers`, a plain object, a `Map`, or a list of pairs. Names may be in any case. */
export type WebhookHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface ReceivedWebhook {
  /** The secret from the answer that created the subscription or rotated the secret. Give both while you rotate them. */
  readonly secret: string | readonly string[]
  readonly headers: WebhookHeaders
  /** The raw body, before any parsing. */
  readonly body: string | Uint8Array
  readonly now?: Date | undefined
  /** The largest allowed difference between the signed timestamp and `now`. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /** Refuses deliveries without the headers of Standard Webhooks: `X-Service-Signature` alone does not cover its timestamp. */
  readonly requireSignedTimestamp?: boolean | undefined
  /** @deprecated The name of `toleranceSeconds` in 0.2.0. */
  readonly tolerance_seconds?: number | undefined
  /** @deprecated The name of `requireSignedTimestamp` in 0.2.0. */
  readonly require_signed_timestamp?: boolean | undefined
}

export type WebhookFault =
  /** A header that a signature needs is missing. */
  | 'header_missing'
  /** The body, id or timestamp was changed, or another secret signed it. */
  | 'signature_mismatch'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  /** Signed, but not an event. */
  | 'body_malformed'
  /** Signed, but a header names another event than the body. */
  | 'event_mismatch'

const MESSAGES: Readonly<Record<WebhookFault, string>> = {
  header_missing: 'a header of the signature is missing',
  signature_mismatch: 'the signature is not that of this body under this secret',
  timestamp_too_old: 'the delivery was signed too long ago',
  timestamp_too_new: 'the delivery was signed too far in the future',
  body_malformed: 'the body is not an event',
  event_mismatch: 'the headers and the body name different events',
}

/** The delivery cannot be trusted: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault) {
    super(MESSAGES[reason])
    this.reason = reason
  }
}

/**
 * Returns the event of a delivery after checking its signatures: `webhook-signature` and `X-Service-Signature`, whichever are
 * present. A delivery can arrive twice: deduplicate on the event's `id`.
 *
 * @throws WebhookVerificationError with a `reason`; TypeError when the secret or the body has an impossible form, or an option has another name.
 * @example
 * const event = verifyWebhook({ secret, headers: request.headers, body: await request.text() })
 * if (event.type === 'patient.created') console.log(event.data.id)
 */
export function verifyWebhook(received: ReceivedWebhook): EventEnvelope {
  checkNames('verifyWebhook', received, OPTIONS)
  const { now = new Date() } = received
  const toleranceSeconds = received.toleranceSeconds ?? received.tolerance_seconds ?? TOLERANCE_SECONDS
  const isTimeRequired = received.requireSignedTimestamp ?? received.require_signed_timestamp
  const secrets = secretsOf(received.secret)
  const body = rawBody(received.body)
  const headers = byLowerCase(received.headers)

  const message = signedMessage(headers, body)
  const signature = headers.get('x-service-signature')
  if (message === null && (signature === undefined || isTimeRequired)) fail('header_missing')
  const signed = secrets.some(
    (secret) =>
      (message === null || isStandardSigned(secret, message, headers)) &&
      (signature === undefined || isRotating(headers) || isEqual(signature, serviceSignature(secret, body))),
  )
  if (!signed) fail('signature_mismatch')
  if (message !== null) checkAge(message.timestamp, now, toleranceSeconds)

  const event = eventOf(body)
  const ids = [headers.get('webhook-id'), headers.get('x-service-event-id')]
  if (ids.some((id) => id !== undefined && id !== event.id)) fail('event_mismatch')
  if ((headers.get('x-service-event-type') ?? event.type) !== event.type) fail('event_mismatch')
  return event
}

const OPTIONS: NamesOf<ReceivedWebhook> = {
  secret: true,
  headers: true,
  body: true,
  now: true,
  toleranceSeconds: true,
  requireSignedTimestamp: true,
  tolerance_seconds: true,
  require_signed_timestamp: true,
}

/** Builds the signed message from the headers of Standard Webhooks. Null when none of them is present. */
function signedMessage(headers: ReadonlyMap<string, string>, body: string | Uint8Array): SignedMessage | null {
  const [id, timestamp] = [headers.get('webhook-id'), headers.get('webhook-timestamp')]
  const parts = [id, timestamp, headers.get('webhook-signature')]
  if (parts.every((part) => part === undefined)) return null
  if (id === undefined || timestamp === undefined || parts.includes(undefined)) fail('header_missing')
  return { id, timestamp, body }
}

/** The header may hold several signatures: during a rotation of secrets, and in later versions. */
function isStandardSigned(secret: string, message: SignedMessage, headers: ReadonlyMap<string, string>): boolean {
  const expected = standardSignature(secret, message)
  const signatures = headers.get('webhook-signature') ?? ''
  return signatures.split(' ').some((signature) => isEqual(signature, expected))
}

/** With several signatures listed, `X-Service-Signature` may be that of another secret. The list covers all that it covers. */
function isRotating(headers: ReadonlyMap<string, string>): boolean {
  return headers.get('webhook-signature')?.includes(' ') ?? false
}

/** Compares in constant time. The length is no secret. */
function isEqual(signature: string, expected: string): boolean {
  const [a, b] = [Buffer.from(signature), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Written so that NaN is refused. */
function checkAge(timestamp: string, now: Date, toleranceSeconds: number): void {
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp)
  if (age < -toleranceSeconds) fail('timestamp_too_new')
  if (!(Math.abs(age) <= toleranceSeconds)) fail('timestamp_too_old')
}

function eventOf(body: string | Uint8Array): EventEnvelope {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body)
    const event: unknown = JSON.parse(text)
    if (isEnvelope(event)) return event
  } catch {}
  return fail('body_malformed')
}

/** Checks the form only. The service signed the rest. */
function isEnvelope(value: unknown): value is EventEnvelope {
  if (typeof value !== 'object' || value === null) return false
  const { id, type, created_at, data } = value as Partial<Record<string, unknown>>
  return [id, type, created_at].every((part) => typeof part === 'string') && typeof data === 'object' && data !== null
}

function byLowerCase(headers: WebhookHeaders): ReadonlyMap<string, string> {
  const pairs: Iterable<readonly [string, string | readonly string[] | undefined]> =
    Symbol.iterator in headers ? (headers as Iterable<readonly [string, string]>) : Object.entries(headers)
  const read = new Map<string, string>()
  for (const [name, value] of pairs) {
    if (value === undefined) continue
    const key = name.toLowerCase()
    // A repeated header is joined, as HTTP defines, and then matches nothing.
    read.set(key, [read.get(key) ?? [], value].flat().join(', '))
  }
  return read
}

/** A wrong configuration must not look like a forged delivery. */
function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat()
  if (secrets.length === 0 || !secrets.every((text) => typeof text === 'string' && isWebhookSecret(text))) {
    throw new TypeError('a webhook secret is whsec_ and 44 characters, as the answer that made it shows it, not masked')
  }
  return secrets
}

function rawBody(body: string | Uint8Array): string | Uint8Array {
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return body
  throw new TypeError('the body must be the raw one, a string or bytes: one that was parsed cannot be verified')
}

function fail(reason: WebhookFault): never {
  throw new WebhookVerificationError(reason)
}
