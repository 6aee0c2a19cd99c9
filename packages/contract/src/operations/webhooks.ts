// Webhook subscriptions and their deliveries.

import { failedDelivery, retriedDelivery, waitingDelivery } from '../delivery-examples.ts'
import { MAX } from '../limits.ts'
import { bounded, latestFirst, one, operation, page, paging } from '../operation.ts'
import {
  Delivery,
  deliveryStatuses,
  EventType,
  Webhook,
  WebhookRequest,
  wantedEventTypes,
} from '../resources/webhook.ts'
import { about, choice, exampleOf, object, strictObject, Type, text, whole } from '../schema.ts'

const managing = { scope: 'webhooks:manage', tag: 'Webhooks', untrustedText: false } as const

export const webhooksCreate = operation({
  ...managing,
  id: 'webhooks.create',
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Subscribe to events',
  description: 'The signing secret is shown in this answer and never again. Any `chat.*` type needs `chat:read` too.',
  body: WebhookRequest,
  shape: 'one',
  output: one(Webhook),
  status: 201,
  effect: 'once a key',
  problems: ['conflict', 'unprocessable', 'idempotency-key-reused'],
  example: {
    body: exampleOf(WebhookRequest),
    answer: { data: { ...exampleOf(Webhook), secret: 'whsec_<44 characters, shown once>' } },
  },
})

export const webhooksList = operation({
  ...managing,
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'List subscriptions',
  description: 'Every subscription of the clinic, secrets masked.',
  shape: 'bounded',
  output: bounded(Webhook, MAX.subscriptions),
})

export const webhooksGet = operation({
  ...managing,
  id: 'webhooks.get',
  method: 'GET',
  path: '/v1/webhooks/{id}',
  summary: 'One subscription',
  description: 'By id, the secret masked.',
  ids: { id: 'webhook' },
  shape: 'one',
  output: one(Webhook),
  example: { params: { id: 'wh31' } },
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
  example: { params: { id: 'wh31' } },
})

export const webhooksDeliveriesList = operation({
  ...managing,
  id: 'webhooks.deliveries.list',
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  summary: 'The delivery log',
  description: 'Latest first: one row for each event, its attempts inside.',
  ids: { id: 'webhook' },
  query: strictObject({
    status: Type.Optional(choice(deliveryStatuses, { description: 'Only deliveries in this state.' })),
    event_type: Type.Optional(about('Only deliveries of this event type.', EventType)),
    ...paging,
  }),
  shape: 'page',
  order: latestFirst('created_at'),
  output: page(Delivery),
  example: {
    params: { id: 'wh31' },
    query: { status: 'failed' },
    answer: { data: [failedDelivery], next_cursor: null },
  },
})

export const webhooksDeliveriesRetry = operation({
  ...managing,
  id: 'webhooks.deliveries.retry',
  method: 'POST',
  path: '/v1/webhooks/{id}/deliveries/{delivery_id}/retry',
  effect: 'each time',
  summary: 'Retry a delivery now',
  description:
    'Attempts a `failed` or `pending` delivery within a second, past an open circuit, which a 2xx closes. Its schedule goes on as it was. One that has arrived, that is being attempted, or of a disabled subscription: 409.',
  ids: { id: 'webhook', delivery_id: 'delivery' },
  shape: 'one',
  output: one(Delivery),
  status: 202,
  problems: ['conflict'],
  example: { params: { id: 'wh31', delivery_id: 'dlv901' }, answer: { data: retriedDelivery } },
})

export const webhooksTest = operation({
  ...managing,
  id: 'webhooks.test',
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  effect: 'each time',
  summary: 'Send a test event',
  description:
    "Delivers the contract's example of an event type, marked `test: true`, within a second, past an open circuit.",
  ids: { id: 'webhook' },
  body: strictObject({ event_type: about('The type of the event to send.', EventType) }),
  shape: 'one',
  output: one(Delivery),
  status: 202,
  problems: ['conflict'],
  example: {
    params: { id: 'wh31' },
    body: { event_type: 'appointment.updated' },
    answer: { data: waitingDelivery },
  },
})

export const webhooksReplay = operation({
  ...managing,
  id: 'webhooks.replay',
  method: 'POST',
  path: '/v1/webhooks/{id}/replay',
  effect: 'each time',
  summary: 'Replay a time range',
  description:
    'Sends the events of a time range (at most 30 days back) again: those whose delivery failed, or all, also those from before the subscription was made. At most 50,000 at once.',
  ids: { id: 'webhook' },
  body: strictObject({
    since: text(MAX.instant, { format: 'instant', description: 'From this instant on, at most 30 days back.' }),
    until: Type.Optional(text(MAX.instant, { format: 'instant', description: 'Up to this instant; default now.' })),
    event_types: Type.Optional(
      wantedEventTypes('Omitted, null or empty: every type of the subscription. Duplicates are folded.'),
    ),
    only: Type.Optional(
      choice(['failed', 'all'], { default: 'failed', description: 'Only what failed, or everything once more.' }),
    ),
  }),
  shape: 'one',
  output: one(
    object({ matched: whole(0, 2_000_000_000, { description: 'Events that will be sent again.', examples: [17] }) }),
  ),
  status: 202,
  problems: ['conflict', 'unprocessable'],
  example: { params: { id: 'wh31' }, body: { since: '2026-07-12T00:00:00+03:00' } },
})
