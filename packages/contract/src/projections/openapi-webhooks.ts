// The events in the OpenAPI document: a delivery's headers and body for each event type.
import { envelopeExample } from '../event-examples.ts'
import { type EventType, events, eventTypes } from '../event-types.ts'
import { EventEnvelope } from '../resources/webhook.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { exampleOf } from '../schema/schema.ts'
import type { Parameter, Response, WebhookObject } from './openapi-document.ts'
import { publishedBody } from './published-schema.ts'

const example = exampleOf(EventEnvelope)
const SIGNED_AT = 1_783_837_800

export const deliveryHeaders: Record<string, Parameter> = {
  ServiceSignature: header(
    'X-Service-Signature',
    '`sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed by the whole signing secret.',
    { pattern: '^sha256=[0-9a-f]{64}$', maxLength: 71 },
    `sha256=${'0123456789abcdef'.repeat(4)}`,
  ),
  ServiceTimestamp: header(
    'X-Service-Timestamp',
    'Unix time, in seconds, at which the delivery was signed.',
    { pattern: '^[0-9]+$', maxLength: 12 },
    String(SIGNED_AT),
  ),
  ServiceEventId: header(
    'X-Service-Event-Id',
    'The `id` of the event: the same on every attempt. Deduplicate on it.',
    { maxLength: 128 },
    example.id,
  ),
  ServiceEventType: header('X-Service-Event-Type', 'The `type` of the event.', { maxLength: 64 }, example.type),
  WebhookId: header('webhook-id', 'Standard Webhooks: the event id.', { maxLength: 128 }, example.id),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'Standard Webhooks: Unix time in seconds, covered by the signature.',
    { pattern: '^[0-9]+$', maxLength: 12 },
    String(SIGNED_AT),
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed by the decoded secret. For 24 hours after a rotation one signature for each secret, separated by spaces.',
    { pattern: '^v1,[0-9A-Za-z+/=]+( v1,[0-9A-Za-z+/=]+)*$', maxLength: 256 },
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}

function header(name: string, description: string, bounds: JsonSchema, value: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string', ...bounds }, example: value }
}

const responses: Record<string, Response> = {
  '2XX': { description: 'Received. Answer quickly and do heavy work afterwards; the body is not read.' },
  410: { description: 'Gone. Two such answers, at least 30 seconds apart, disable the subscription.' },
  default: { description: 'Failed, redirects included: the delivery is tried again for about 24 hours.' },
}

/** The `webhooks` section by event type. `test` is the event that `POST /v1/webhooks/{id}/test` sends. */
export function webhooks(): Record<string, WebhookObject> {
  const real = eventTypes.map(
    (type) => [type, webhook(type, events[type].fires, payload(type), envelopeExample(type))] as const,
  )
  const test = webhook(
    'test',
    'No type to subscribe to: `POST /v1/webhooks/{id}/test` sends it, with the type that it was asked for. `test` is true and `data` is an example.',
    { $ref: '#/components/schemas/EventEnvelope' },
    { ...envelopeExample(example.type), test: true },
  )
  return Object.fromEntries([...real, ['test', test]])
}

function webhook(name: string, fires: string, schema: JsonSchema, value: unknown): WebhookObject {
  const scope = name.startsWith('chat.') ? '`webhooks:manage` and `chat:read`' : '`webhooks:manage`'
  return {
    post: {
      operationId: `on_${name.replaceAll('.', '_')}`,
      tags: ['Webhooks'],
      summary: name,
      description: `${fires}\n\nSubscribing needs ${scope}.`,
      security: [],
      'x-internal': true,
      parameters: Object.values(deliveryHeaders),
      requestBody: { required: true, content: { 'application/json': { schema, examples: { event: { value } } } } },
      responses,
    },
  }
}

/** The envelope with the type and the data of one event type. */
function payload(type: EventType): JsonSchema {
  const { examples: _, properties, ...open } = publishedBody(EventEnvelope, () => undefined)
  return {
    ...open,
    title: eventName(type),
    properties: {
      ...properties,
      type: { type: 'string', enum: [type], description: 'The event type.' },
      data: { $ref: `#/components/schemas/${events[type].resource}` },
    },
  }
}

/** @example eventName('call.recording.available') // 'CallRecordingAvailableEvent' */
function eventName(type: EventType): string {
  return `${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`
}
