// Webhook subscription, its deliveries, and the feed's envelope.
import { eventTypes } from '../event-types.ts'
import { MAX } from '../limits.ts'
import {
  absentIs,
  choice,
  distinct,
  exampleOf,
  Id,
  Instant,
  list,
  named,
  nullable,
  object,
  strictObject,
  Type,
  text,
  whole,
} from '../schema/schema.ts'
import { Appointment } from './appointment.ts'

export const EventType = choice(eventTypes)

const Circuit = object(
  {
    state: choice(['closed', 'open', 'half_open'], {
      description:
        '`closed`: deliveries are sent as they come. `open`: after five failures in a row they wait, and use no attempts. `half_open`: the delivery that has been due longest is tried, and its 2xx closes the circuit.',
    }),
    opened_at: nullable(Instant, { description: 'Since when deliveries wait; null while closed.' }),
    next_attempt_at: nullable(Instant, {
      description:
        'No attempt is made before, unless it is asked for by a retry or a test. Null while closed, and while half open: an attempt is made as soon as a delivery is due.',
    }),
  },
  {
    description:
      'Whether deliveries are sent or wait because the endpoint fails. Null while the subscription is disabled or paused, and from a backend that does not tell it.',
  },
)

export const Webhook = named(
  'Webhook',
  object({
    id: Id,
    url: text(MAX.url, { format: 'uri', description: 'HTTPS endpoint that receives events.' }),
    event_types: list(EventType, eventTypes.length, { description: 'Empty means every type.' }),
    description: nullable(text(MAX.description), { description: 'A note of your own.' }),
    enabled: Type.Boolean({
      description: 'Whether delivery is active. False while it is paused, and once it was disabled for its failures.',
    }),
    secret: text(128, {
      description:
        'Shown in full only in the answer that creates the subscription or rotates the secret. Masked everywhere else.',
    }),
    disabled_at: nullable(Instant, { description: 'Null while enabled.' }),
    disabled_reason: nullable(text(MAX.description), {
      description: 'Why it was disabled, or that a request paused it; null while enabled.',
    }),
    created_at: Instant,
    circuit: nullable(Circuit, absentIs(null)),
  }),
  {
    id: 'wh31',
    url: 'https://crm.example.com/hooks/clinic',
    event_types: ['appointment.created', 'appointment.updated'],
    description: 'CRM, production',
    enabled: true,
    secret: 'whsec_…x7Qk',
    disabled_at: null,
    disabled_reason: null,
    created_at: '2026-07-01T08:00:00.000+03:00',
    circuit: { state: 'closed', opened_at: null, next_attempt_at: null },
  },
)

/** A list of event types in a request. */
export function wantedEventTypes(description: string) {
  return nullable(list(EventType, MAX.event_types, distinct), { description })
}

const description = Type.Optional(
  nullable(text(MAX.description), { description: 'A note of your own, to tell subscriptions apart.' }),
)

export const WebhookRequest = named(
  'WebhookRequest',
  strictObject({
    url: text(MAX.url, { minLength: 1, format: 'webhook-url', description: 'HTTPS endpoint that receives events.' }),
    event_types: Type.Optional(
      wantedEventTypes("Omitted, null or empty: every type that the key's scopes allow. Duplicates are removed."),
    ),
    description,
  }),
  {
    url: 'https://crm.example.com/hooks/clinic',
    event_types: ['appointment.created', 'appointment.updated'],
    description: 'CRM, production',
  },
)

export const WebhookChange = named(
  'WebhookChange',
  strictObject({
    url: Type.Optional(
      text(MAX.url, {
        minLength: 1,
        format: 'webhook-url',
        description: 'Another HTTPS endpoint. Closes the circuit.',
      }),
    ),
    event_types: Type.Optional(
      wantedEventTypes("The new list. Null or empty: every type that the key's scopes allow. Duplicates are removed."),
    ),
    description,
    enabled: Type.Optional(
      Type.Boolean({ description: 'False pauses the subscription, true enables one that was paused.' }),
    ),
  }),
  { event_types: ['appointment.created', 'appointment.cancelled'], description: 'CRM, bookings' },
)

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

const Attempt = object({
  number: whole(1, 1000, { description: 'Counted from 1.' }),
  trigger: choice(['automatic', 'manual'], {
    description:
      '`manual`: it was asked for, by the retry endpoint or as the first attempt of a test event. `automatic`: by schedule, also by the one that a replay begins.',
  }),
  attempted_at: Instant,
  duration_ms: whole(0, 60_000),
  response_status: nullable(whole(100, 599, { description: 'The HTTP status of the answer; null when none came.' })),
  error: nullable(
    text(MAX.code, {
      description: 'The kind of failure: `dns`, `connect`, `tls`, `timeout`, `http_5xx` and others; null for none.',
    }),
  ),
})

/** One row for an event and a subscription, with its attempts inside. */
export const Delivery = named(
  'Delivery',
  object({
    id: Id,
    webhook_id: Id,
    event_id: Id,
    event_type: EventType,
    status: choice(deliveryStatuses, { description: '`pending` while attempts are still to come.' }),
    attempt_count: whole(0, 1000, {
      description: 'Attempts made, manual ones included. Waiting for an open circuit uses none.',
    }),
    created_at: Instant,
    delivered_at: nullable(Instant, { description: 'When it first arrived.' }),
    last_attempt_at: nullable(Instant),
    next_attempt_at: nullable(Instant, {
      description:
        "Never in the past: if the delivery is due, it is now. While the circuit of the subscription is open (after five failures in a row) it is the time of the next probe, at most 60 s ahead, or the delivery's own time if that is later. Null if there will be no attempt.",
    }),
    response_status: nullable(whole(100, 599, { description: 'The HTTP status of the answer; null when none came.' })),
    error: nullable(
      text(MAX.code, {
        description:
          'The kind of failure: `dns`, `connect`, `tls`, `timeout`, `http_5xx` and others; null for none. `circuit_open`: its time ran out while it waited for the circuit to close. `subscription_disabled`: the subscription was disabled or paused first.',
      }),
    ),
    attempts: list(Attempt, 1000, { description: 'Every attempt, the first one first.' }),
  }),
  {
    id: 'dlv901',
    webhook_id: 'wh31',
    event_id: 'evt5512',
    event_type: 'appointment.updated',
    status: 'delivered',
    attempt_count: 1,
    created_at: '2026-07-12T09:30:00.123+03:00',
    delivered_at: '2026-07-12T09:30:00.301+03:00',
    last_attempt_at: '2026-07-12T09:30:00.180+03:00',
    next_attempt_at: null,
    response_status: 204,
    error: null,
    attempts: [
      {
        number: 1,
        trigger: 'automatic',
        attempted_at: '2026-07-12T09:30:00.180+03:00',
        duration_ms: 121,
        response_status: 204,
        error: null,
      },
    ],
  },
)

export const EventEnvelope = named(
  'EventEnvelope',
  object({
    id: Id,
    type: EventType,
    created_at: Instant,
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      maxProperties: MAX.resource_fields,
      additionalProperties: true,
      description: 'Byte-identical to the matching REST resource.',
    }),
    test: Type.Optional(Type.Boolean({ description: 'True only on test events.' })),
  }),
  {
    id: 'evt5512',
    type: 'appointment.updated',
    created_at: '2026-07-12T09:30:00.123+03:00',
    data: { ...exampleOf(Appointment) },
  },
)
