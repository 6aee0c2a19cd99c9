// The console's own operations on webhooks, beside those of the contract: how subscriptions do, what a page watches, and a delivery as
// it was sent.
import { COUNTED_DELIVERIES, MAX } from '@clinic-data/contract/limits'
import { Delivery, deliveryStatuses, EventType } from '@clinic-data/contract/resources/webhook'
import {
  about,
  choice,
  Id,
  Instant,
  list,
  NamedReference,
  nullable,
  object,
  type Static,
  strictObject,
  Type,
  text,
  whole,
} from '@clinic-data/contract/schema'
import { Actor } from './console-activity.ts'
import { consoleOperation } from './console-operation.ts'

/** A subscription's health covers so many hours, the running one last. */
export const HEALTH_HOURS = 24

export const DELIVERIES_PAGE = { default: 50, most: 100 } as const

const sums = list(whole(0, 2_000_000_000), HEALTH_HOURS)

export const WebhookHealth = object({
  id: Id,
  disabled_at: nullable(Instant),
  is_paused: Type.Boolean({ description: 'Disabled by a request: it can be enabled again.' }),
  made_by: nullable(Actor, {
    description: 'Null for those that were made before makers were kept, and those of the operator.',
  }),
  integration: nullable(NamedReference, { description: 'To which it belongs.' }),
  last_success_at: nullable(Instant),
  failing_since: nullable(Instant, { description: 'The first failure since the last attempt that arrived.' }),
  opened_at: nullable(Instant, { description: 'Since when its circuit is open; null while it is closed.' }),
  probe_at: nullable(Instant, {
    description: 'When an open circuit makes its next attempt; null once one may come at any moment.',
  }),
  since: Instant,
  deliveries: object(
    {
      arrived: whole(0, COUNTED_DELIVERIES),
      failed: whole(0, COUNTED_DELIVERIES, { description: 'Given up, or tried again after a failure.' }),
      waiting: whole(0, COUNTED_DELIVERIES, { description: 'Not tried yet.' }),
    },
    { description: 'Of the events from `since` on, the latest thousand at most: each delivery once.' },
  ),
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

/** A header that one attempt sent. */
const SentHeader = object({
  name: text(MAX.code),
  value: nullable(Type.String(), {
    description:
      'Null for a signature that a former secret made: the secret was rotated since, or within the day before.',
  }),
})

/** A delivery as the console lists it. */
const ShownDelivery = object({
  ...Delivery.properties,
  is_test: Type.Boolean({ description: 'Of a test event, which holds invented data.' }),
})

export type ShownDelivery = Static<typeof ShownDelivery>

const moment = text(MAX.instant, {
  format: 'day-or-instant',
  description: 'An instant, or a day of the clinic, which is included as a whole.',
})

const listFilters = {
  status: Type.Optional(
    choice(deliveryStatuses, { description: '`failed` includes those that are tried again after a failure.' }),
  ),
  event_type: Type.Optional(EventType),
  from: Type.Optional(moment),
  to: Type.Optional(moment),
  limit: Type.Optional(whole(1, DELIVERIES_PAGE.most, { default: DELIVERIES_PAGE.default })),
  cursor: Type.Optional(about('The event behind which the list goes on.', Id)),
}

export const DeliveriesQuery = strictObject({ ...listFilters, delivery_id: Type.Optional(Id) })

export const DeliveriesSearch = strictObject({
  ...listFilters,
  patient_id: Type.Optional(about('Whose data the event holds.', Id)),
  record_id: Type.Optional(about("The event's, or of the record that it holds, for example an appointment's.", Id)),
})

/** Events of a record that a page shows. */
export const RECORD_EVENTS = 10

/**
 * `not_there`: the webhook was made later. `not_subscribed`: it did not want this kind of event. `stopped`: its integration was. `disabled`: for its
 * failures, or its maker is gone. `unknown`: how it was set then is not kept.
 */
export const missedReasons = ['not_there', 'not_subscribed', 'paused', 'stopped', 'disabled', 'unknown'] as const

const Missed = object({
  reason: choice(missedReasons),
  since: nullable(Instant, { description: 'Since when it got nothing for this reason. Null where that is not known.' }),
  until: nullable(Instant, { description: 'When that ended. Null while it lasts.' }),
})

/** An event, and for each webhook that there is now its delivery or why there is none. */
export const RecordEvent = object({
  id: Id,
  type: EventType,
  created_at: Instant,
  webhooks: list(
    object({ webhook_id: Id, delivery: nullable(ShownDelivery), missed: nullable(Missed) }),
    MAX.subscriptions,
  ),
})

export type RecordEvent = Static<typeof RecordEvent>

export const RecordEventsQuery = strictObject({
  record_id: about('Of an appointment, a payment or a patient, for example.', Id),
  cursor: Type.Optional(about('The event behind which the list goes on.', Id)),
})

export const SentDelivery = object({
  delivery: ShownDelivery,
  url: text(MAX.url, { description: 'Where attempts go now.' }),
  body: Type.String({ description: 'The bytes that every attempt sends.' }),
  headers: nullable(list(SentHeader, 20), { description: 'Of the latest attempt. Null before the first one.' }),
})

export type SentDelivery = Static<typeof SentDelivery>

export const webhookOperations = {
  /** Answers the health of each subscription of the clinic. It holds nothing of a patient, so a page may ask again and again. */
  webhookHealth: consoleOperation({
    id: 'console.webhooks.health',
    method: 'GET',
    path: '/console/api/webhooks/health',
    output: object({ data: list(WebhookHealth, MAX.subscriptions) }),
  }),
  /** Deliveries without their payloads, latest first, and one that the page shows. */
  listDeliveries: consoleOperation({
    id: 'console.webhooks.deliveries',
    method: 'GET',
    path: '/console/api/webhooks/{id}/deliveries',
    query: DeliveriesQuery,
    output: object({
      data: list(ShownDelivery, DELIVERIES_PAGE.most),
      meta: object({ next_cursor: nullable(Id) }),
      shown: nullable(ShownDelivery),
    }),
  }),
  /** Tells what happened to a patient and when, so each page of a search is on record. */
  findDeliveries: consoleOperation({
    id: 'console.webhooks.find_deliveries',
    method: 'GET',
    path: '/console/api/webhooks/{id}/found-deliveries',
    query: DeliveriesSearch,
    audited: 'console.webhooks.find_deliveries',
    output: object({
      data: list(ShownDelivery, DELIVERIES_PAGE.most),
      meta: object({
        next_cursor: nullable(Id),
        is_searching: Type.Boolean({
          description: 'The page is not full, and there are more deliveries to look through.',
        }),
      }),
    }),
  }),
  /** Tells what happened to a record and who got it, so each look is on record. The latest event first. */
  recordEvents: consoleOperation({
    id: 'console.webhooks.record_events',
    method: 'GET',
    path: '/console/api/webhooks/record-events',
    query: RecordEventsQuery,
    audited: 'console.webhooks.record_events',
    output: object({ data: list(RecordEvent, RECORD_EVENTS), meta: object({ next_cursor: nullable(Id) }) }),
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
