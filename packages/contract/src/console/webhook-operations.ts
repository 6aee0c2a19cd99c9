// The console's own operations on webhooks, beside those of the contract: how subscriptions do, what a page watches, and a delivery as
// it was sent.
import { MAX } from '../limits.ts'
import { Delivery, deliveryStatuses, EventType } from '../resources/webhook.ts'
import { choice, Id, Instant, list, nullable, object, type Static, strictObject, Type, text, whole } from '../schema.ts'
import { Actor } from './console-activity.ts'
import { consoleOperation } from './console-operation.ts'

/** Of a subscription, the running one last. */
export const HEALTH_HOURS = 24

/** The deliveries that a page watches. */
export const WATCHED_DELIVERIES = 50

const sums = list(whole(0, 2_000_000_000), HEALTH_HOURS)

export const WebhookHealth = object({
  id: Id,
  disabled_at: nullable(Instant),
  is_paused: Type.Boolean({ description: 'Disabled by a request: it can be enabled again.' }),
  made_by: nullable(Actor, {
    description: 'Null for those that were made before makers were kept, and those of the operator.',
  }),
  last_success_at: nullable(Instant),
  failing_since: nullable(Instant, { description: 'The first failure since the last attempt that arrived.' }),
  opened_at: nullable(Instant, { description: 'Since when its circuit is open; null while it is closed.' }),
  probe_at: nullable(Instant, { description: 'When an open circuit makes its next attempt.' }),
  since: Instant,
  delivered: { ...sums, description: 'Attempts that arrived, one number an hour from `since` on.' },
  failed: { ...sums, description: 'Attempts that failed, likewise.' },
  last_failure: nullable(
    object({
      at: Instant,
      response_status: nullable(whole(100, 599)),
      error: text(MAX.code, { description: 'As in the attempts of a delivery.' }),
    }),
  ),
})

export type WebhookHealth = Static<typeof WebhookHealth>

/** What one attempt sent. */
const SentHeader = object({
  name: text(MAX.code),
  value: nullable(Type.String(), {
    description:
      'Null for a signature that a former secret made: the secret was rotated since, or within the day before.',
  }),
})

export const SentDelivery = object({
  delivery: Delivery,
  url: text(MAX.url, { description: 'Where attempts go now.' }),
  body: Type.String({ description: 'The bytes that every attempt sends.' }),
  headers: nullable(list(SentHeader, 20), { description: 'Of the latest attempt. Null before the first one.' }),
})

export type SentDelivery = Static<typeof SentDelivery>

export const webhookOperations = {
  /** Of each subscription of the clinic. It holds nothing of a patient, so a page may ask again and again. */
  webhookHealth: consoleOperation({
    id: 'console.webhooks.health',
    method: 'GET',
    path: '/console/api/webhooks/health',
    output: object({ data: list(WebhookHealth, MAX.subscriptions) }),
  }),
  /** The latest deliveries without their payloads, and one that the page shows. */
  watchDeliveries: consoleOperation({
    id: 'console.webhooks.watch',
    method: 'GET',
    path: '/console/api/webhooks/{id}/watch',
    query: strictObject({
      status: Type.Optional(choice(deliveryStatuses)),
      event_type: Type.Optional(EventType),
      delivery_id: Type.Optional(Id),
    }),
    output: object({ data: list(Delivery, WATCHED_DELIVERIES), shown: nullable(Delivery) }),
  }),
  /** The payload names patients, so each reading is on record. */
  sentDelivery: consoleOperation({
    id: 'console.webhooks.delivery',
    method: 'GET',
    path: '/console/api/webhooks/{id}/deliveries/{delivery_id}',
    audited: 'console.webhooks.delivery',
    output: object({ data: SentDelivery }),
  }),
} as const
