// Deliveries of a webhook subscription: the log, and requested deliveries.
import type { Clinic, EventType, HandlerInput, Operations } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { deliveryStatuses } from '@clinic-data/contract/resources/webhook'
import { sql, type Transaction } from '@clinic-data/database'
import { choiceFilter } from '@clinic-data/records/filters/choice-filter'
import { type Order, type Positioned, page, pageAnswer } from '@clinic-data/records/lists/page'
import { notFound } from '@clinic-data/surface/not-found'
import {
  type DeliveryRow,
  deliveryColumns,
  deliveryOf,
  renderDelivery,
} from '@clinic-data/webhooks/deliveries/delivery'
import { deliveryKey } from '@clinic-data/webhooks/deliveries/delivery-id'
import { replayEvents } from '@clinic-data/webhooks/deliveries/replay'
import { lockDelivery, retryDelivery } from '@clinic-data/webhooks/deliveries/retry-delivery'
import { storeTestEvent } from '@clinic-data/webhooks/events/test-event'
import { markUrgent } from '@clinic-data/webhooks/subscriptions/lane'
import {
  lockSubscription,
  requireEnabled,
  type SubscriptionRow,
} from '@clinic-data/webhooks/subscriptions/subscription'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import { written } from '../handling/write.ts'
import { type NamedTypes, requireNamedTypes, subscriptionOf } from './webhooks.ts'

type Handled = 'webhooks.deliveries.list' | 'webhooks.deliveries.retry' | 'webhooks.test' | 'webhooks.replay'

const latestFirst: Order = { sort: sql`d.created_at`, kind: 'instant', id: sql`d.event_id`, descending: true }
const hasStatus = choiceFilter('d.status', deliveryStatuses)

/** A delivery lies in the partition of its event's day. */
const OF_RECORD = sql`event e join delivery d on d.clinic_id = e.clinic_id and d.created_at = e.created_at and d.event_id = e.id`

/** How far back a replay may go. */
const REPLAY_MS = 30 * 24 * 60 * 60 * 1000

export function webhookDeliveryHandlers(parts: HandlerParts): HandlersOf<Handled> {
  const { database } = parts
  const retry = written<'webhooks.deliveries.retry'>(parts, async (tx, { clinic }, { params }, _at, now) => {
    const { id, delivery_id } = params
    await markUrgent(tx, clinic.clinic_id, id)
    const subscription = await lockedSubscription(tx, clinic, id)
    const key = deliveryKey(delivery_id, id)
    const state = key && (await lockDelivery(tx, clinic, id, key, now))
    if (key === null || state === null) throw notFound('delivery', delivery_id)
    requireEnabled(subscription)
    await retryDelivery(tx, clinic, id, key, state, now)
    return { answer: { data: await deliveryOf(tx, clinic, id, key, now) }, changes: [], isUndated: true }
  })

  const test = written<'webhooks.test'>(parts, async (tx, { clinic }, { params: { id }, body }, _at, now) => {
    await markUrgent(tx, clinic.clinic_id, id)
    requireEnabled(await lockedSubscription(tx, clinic, id))
    const key = await storeTestEvent(tx, clinic, id, body.event_type, now)
    return { answer: { data: await deliveryOf(tx, clinic, id, key, now) }, changes: [], isUndated: true }
  })

  const replay = written<'webhooks.replay'>(parts, async (tx, { clinic }, { params: { id }, body }, _at, now) => {
    const subscription = await lockedSubscription(tx, clinic, id)
    requireEnabled(subscription)
    const { since, until } = replayedPeriod(body, now)
    const { only = 'failed' } = body
    const wanted = {
      subscription_id: id,
      since,
      until,
      event_types: replayedTypes(subscription, body.event_types),
      only,
    }
    return { answer: { data: { matched: await replayEvents(tx, clinic, wanted, now) } }, changes: [], isUndated: true }
  })

  return {
    'webhooks.deliveries.list': async ({ clinic }, { params: { id }, query }) => {
      const { clinic_id } = clinic
      const where = [
        sql`d.clinic_id = ${clinic_id} and d.subscription_id = ${id}`,
        // The log of a deleted subscription is not shown, though some of its rows still exist.
        sql`exists (select from subscription s where s.clinic_id = ${clinic_id} and s.id = ${id})`,
      ]
      if (query.status !== undefined) where.push(hasStatus(query.status))
      if (query.event_type !== undefined) where.push(sql`d.event_type = ${query.event_type}`)
      if (query.record_id !== undefined) {
        where.push(sql`e.clinic_id = ${clinic_id} and e.record_id = ${query.record_id}`)
      }
      const from = query.record_id === undefined ? sql`delivery d` : OF_RECORD
      const rows = page({ columns: sql`d.*`, from, where, order: latestFirst }, query)
      const found = await database.read<DeliveryRow & Pick<Positioned, 'sort'>>(
        clinic,
        sql`select ${deliveryColumns(clinic, parts.now())}, d.sort from ${rows} d order by d.sort desc, d.event_id desc`,
      )
      if (found.length === 0) await subscriptionOf(database, clinic, id)
      const positioned = found.map((row) => ({ id: row.event_id, sort: row.sort, row }))
      return pageAnswer(positioned, query, ({ row }) => renderDelivery(row))
    },

    'webhooks.deliveries.retry': async (grant, input, context) => {
      const answer = await retry(grant, input, context)
      parts.onDeliveriesDue?.(grant.clinic.clinic_id)
      return answer
    },

    'webhooks.test': async (grant, input, context) => {
      requireNamedTypes(grant, [input.body.event_type])
      const answer = await test(grant, input, context)
      parts.onDeliveriesDue?.(grant.clinic.clinic_id)
      return answer
    },

    'webhooks.replay': async (grant, input, context) => {
      requireNamedTypes(grant, input.body.event_types)
      const answer = await replay(grant, input, context)
      parts.onDeliveriesDue?.(grant.clinic.clinic_id)
      return answer
    },
  }
}

async function lockedSubscription(tx: Transaction, clinic: Clinic, id: string): Promise<SubscriptionRow> {
  const subscription = await lockSubscription(tx, clinic, id)
  if (subscription === null) throw notFound('webhook', id)
  return subscription
}

/** @throws Problem for an invalid period, or one that begins too early. */
function replayedPeriod(
  body: Pick<HandlerInput<Operations['webhooks.replay']>['body'], 'since' | 'until'>,
  now: Date,
): { since: Date; until: Date } {
  const since = new Date(body.since)
  const until = body.until === undefined ? now : new Date(body.until)
  if (since > until) {
    const detail = body.until === undefined ? 'must not lie in the future' : 'must not be later than until'
    throw faultProblem('invalid-request', [{ pointer: '#/since', code: 'period', detail }])
  }
  if (now.getTime() - since.getTime() > REPLAY_MS) {
    const detail = 'must be at most 30 days back'
    throw faultProblem('unprocessable', [{ pointer: '#/since', code: 'too_early', detail }])
  }
  return { since, until }
}

/** The requested types that the subscription wants. Null when that is every type. */
function replayedTypes({ event_types }: SubscriptionRow, named: NamedTypes): readonly EventType[] | null {
  const requested = named ?? []
  if (event_types.length === 0) return requested.length === 0 ? null : requested
  return requested.length === 0 ? event_types : requested.filter((type) => event_types.includes(type))
}
