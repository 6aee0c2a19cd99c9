// Webhook subscriptions and their deliveries.

import { failedDelivery, retriedDelivery, waitingDelivery } from '../delivery-examples.ts'
import { MAX } from '../limits.ts'
import { paging } from '../list-parameters.ts'
import { answersList, answersOne, answersPage, latestFirst, operation, reading } from '../operation.ts'
import {
  Delivery,
  deliveryStatuses,
  EventType,
  Webhook,
  WebhookChange,
  WebhookRequest,
  wantedEventTypes,
} from '../resources/webhook.ts'
import { about, choice, exampleOf, Id, object, strictObject, Type, text, whole } from '../schema/schema.ts'

const managing = { scope: 'webhooks:manage', tag: 'Webhooks', untrustedText: false, patients: 'none' } as const
const requesting = { ...managing, method: 'POST', effect: 'each time', status: 202 } as const
const read = reading(managing)

export const webhooksCreate = operation({
  ...managing,
  id: 'webhooks.create',
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Subscribe to events',
  description: 'The signing secret is shown only in this answer. Every `chat.*` type also needs `chat:read`.',
  body: WebhookRequest,
  ...answersOne(Webhook),
  status: 201,
  effect: 'once a key',
  problems: ['conflict', 'unprocessable', 'idempotency-key-reused'],
  example: {
    body: exampleOf(WebhookRequest),
    answer: { data: { ...exampleOf(Webhook), secret: 'whsec_<44 characters, shown once>' } },
  },
})

export const webhooksList = operation({
  ...read('webhooks.list', '/v1/webhooks'),
  summary: 'List subscriptions',
  description: 'Every subscription of the clinic, with its secret masked.',
  ...answersList(Webhook, MAX.subscriptions),
})

export const webhooksGet = operation({
  ...read('webhooks.get', '/v1/webhooks/{id}'),
  summary: 'One subscription',
  description: 'By id, with its secret masked.',
  ids: { id: 'webhook' },
  ...answersOne(Webhook),
})

export const webhooksUpdate = operation({
  ...managing,
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/v1/webhooks/{id}',
  effect: 'repeatable',
  summary: 'Change a subscription',
  description:
    'Changes the fields that are sent; the others and the secret stay. Deliveries that wait are still sent, to the `url` of that moment, also those of a type that is no longer wanted. A new `url` closes the circuit, and waiting retries are due at once. It needs `chat:read` too if the subscription wants `chat.*` types or ever did. `enabled` false pauses it: running attempts are broken off, waiting deliveries fail, and the events that come make no deliveries. `enabled` true sends the events from then on, and needs `chat:read` likewise; `POST /v1/webhooks/{id}/replay` with `only` `all` sends the missed ones. 409 if the subscription was disabled for its failures, which is final.',
  ids: { id: 'webhook' },
  body: WebhookChange,
  ...answersOne(Webhook),
  problems: ['conflict', 'unprocessable'],
  example: {
    body: exampleOf(WebhookChange),
    answer: { data: { ...exampleOf(Webhook), ...exampleOf(WebhookChange) } },
  },
})

export const webhooksDelete = operation({
  ...managing,
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  effect: 'each time',
  summary: 'Delete a subscription',
  description: 'Stops all future deliveries.',
  ids: { id: 'webhook' },
  shape: 'none',
  output: object({}),
  status: 204,
  example: { params: { id: 'wh32' } },
})

export const webhooksDeliveriesList = operation({
  ...read('webhooks.deliveries.list', '/v1/webhooks/{id}/deliveries'),
  summary: 'The delivery log',
  description: 'Latest first. Each event has one row, which lists its attempts.',
  ids: { id: 'webhook' },
  unknownIds: { record_id: 'untold' },
  query: strictObject({
    status: Type.Optional(choice(deliveryStatuses, { description: 'Only deliveries in this state.' })),
    event_type: Type.Optional(about('Only deliveries of this event type.', EventType)),
    record_id: Type.Optional(
      about(
        'Only deliveries of events that tell of this record, for example an appointment. Events that an earlier version of the service stored are not found.',
        Id,
      ),
    ),
    ...paging,
  }),
  ...answersPage(Delivery, latestFirst('created_at')),
  example: { answer: { data: [failedDelivery], next_cursor: null } },
})

export const webhooksDeliveriesRetry = operation({
  ...requesting,
  id: 'webhooks.deliveries.retry',
  path: '/v1/webhooks/{id}/deliveries/{delivery_id}/retry',
  summary: 'Retry or resend a delivery now',
  description:
    'Attempts a delivery within a second, even while the circuit is open, with the same event id and body. A `delivered` one is sent again too, and is `delivered` again even if that attempt fails. A 2xx closes the circuit. The schedule of the delivery stays as it was. 409 if it is being attempted, or if the subscription is disabled.',
  ids: { id: 'webhook', delivery_id: 'delivery' },
  ...answersOne(Delivery),
  problems: ['conflict'],
  example: { answer: { data: retriedDelivery } },
})

export const webhooksSecretRotate = operation({
  ...managing,
  id: 'webhooks.secret.rotate',
  method: 'POST',
  path: '/v1/webhooks/{id}/secret/rotate',
  effect: 'each time',
  summary: 'Rotate the signing secret',
  description:
    'Makes a new secret, shown only in this answer. For 24 hours deliveries are signed with both: `webhook-signature` lists a signature of each secret, and `X-Service-Signature` is still that of the former one. Then the former secret is erased. Give your receiver both secrets for that time. The secret of a paused subscription is replaced at once, and none before it signs any more: give your receiver the new one, then enable the subscription. 409 if the subscription was disabled for its failures, or its secret was rotated four times within 24 hours.',
  ids: { id: 'webhook' },
  ...answersOne(Webhook),
  problems: ['conflict'],
  example: { answer: { data: { ...exampleOf(Webhook), secret: 'whsec_<44 characters, shown once>' } } },
})

export const webhooksTest = operation({
  ...requesting,
  id: 'webhooks.test',
  path: '/v1/webhooks/{id}/test',
  summary: 'Send a test event',
  description:
    'Delivers an example of an event type, marked `test: true`. It is sent within a second, even while the circuit is open.',
  ids: { id: 'webhook' },
  body: strictObject({ event_type: about('The type of the event to send.', EventType) }),
  ...answersOne(Delivery),
  problems: ['conflict'],
  example: {
    body: { event_type: 'appointment.updated' },
    answer: { data: waitingDelivery },
  },
})

export const webhooksReplay = operation({
  ...requesting,
  id: 'webhooks.replay',
  path: '/v1/webhooks/{id}/replay',
  summary: 'Replay a time range',
  description:
    'Sends the events of a time range (at most 30 days back) again: those whose delivery failed, or all. All includes events from before the subscription was made. Test events are not replayed: retry them. One request sends at most 50,000 events.',
  ids: { id: 'webhook' },
  body: strictObject({
    since: text(MAX.instant, { format: 'instant', description: 'From this instant on, at most 30 days back.' }),
    until: Type.Optional(text(MAX.instant, { format: 'instant', description: 'Up to this instant; default now.' })),
    event_types: Type.Optional(
      wantedEventTypes('Omitted, null or empty: every type of the subscription. Duplicates are removed.'),
    ),
    only: Type.Optional(
      choice(['failed', 'all'], {
        default: 'failed',
        description: '`failed`: events whose delivery failed. `all`: every event of the range but test events.',
      }),
    ),
  }),
  ...answersOne(
    object({
      matched: whole(0, 2_000_000_000, {
        description: 'The number of events that will be sent again.',
        examples: [17],
      }),
    }),
  ),
  problems: ['conflict', 'unprocessable'],
  example: { body: { since: '2026-07-12T00:00:00+03:00' } },
})
