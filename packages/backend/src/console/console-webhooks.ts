// What the console shows of webhooks beside the contract: how subscriptions do, the latest deliveries, and one as it was sent.
import type { EventType } from '@clinic-data/contract'
import {
  type SentDelivery,
  WATCHED_DELIVERIES,
  type WebhookHealth,
} from '@clinic-data/contract/console/webhook-operations'
import { patientsOf } from '@clinic-data/contract/patients-of'
import { type Delivery, deliveryStatuses } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { deliveryHeaders } from '@clinic-data/contract/webhook-signature'
import { type ClinicDatabase, sql, type Transaction } from '@clinic-data/database'
import { type DeliveryRow, deliveryColumns, renderDelivery } from '@clinic-data/webhooks/deliveries/delivery'
import { deliveryKey } from '@clinic-data/webhooks/deliveries/delivery-id'
import { subscriptionHealth } from '@clinic-data/webhooks/subscriptions/health'
import { dateOf } from '@clinic-data/webhooks/subscriptions/lane'
import { FORMER_SECRET_MS } from '@clinic-data/webhooks/subscriptions/rotate-secret'
import { openSecret } from '@clinic-data/webhooks/subscriptions/sealed-secret'
import { choiceFilter } from '../filters/choice-filter.ts'
import { notFound } from '../not-found.ts'
import { findActors } from './actors.ts'
import type { ActiveSession } from './sessions.ts'

type Shown = Static<typeof Delivery>

export async function webhookHealth(
  owner: ClinicDatabase,
  { clinic }: ActiveSession,
  now: Date,
): Promise<WebhookHealth[]> {
  const found = await subscriptionHealth(owner, clinic, now)
  const who = await findActors(
    owner,
    clinic,
    found.flatMap(({ made_by }) => made_by ?? []),
  )
  return found.map(({ made_by, ...one }) => ({
    ...one,
    made_by: made_by === null ? null : who(made_by),
    delivered: [...one.delivered],
    failed: [...one.failed],
  }))
}

export interface Watched {
  status?: Shown['status']
  event_type?: EventType
  /** One that the page shows, whether it is among the latest or not. */
  delivery_id?: string
}

const hasStatus = choiceFilter('d.status', deliveryStatuses)

/** @throws Problem 404 */
export async function watchDeliveries(
  owner: ClinicDatabase,
  { clinic }: ActiveSession,
  id: string,
  { status, event_type, delivery_id, now }: Watched & { now: Date },
): Promise<{ data: Shown[]; shown: Shown | null }> {
  const { clinic_id } = clinic
  const where = [sql`d.clinic_id = ${clinic_id} and d.subscription_id = ${id}`]
  if (status !== undefined) where.push(hasStatus(status))
  if (event_type !== undefined) where.push(sql`d.event_type = ${event_type}`)
  const one = delivery_id === undefined ? null : deliveryOf(clinic, { id, delivery_id }, now)
  const [latest, shown] = await Promise.all([
    owner.read<DeliveryRow>(
      clinic,
      sql`select ${deliveryColumns(clinic, now)} from (select d.* from delivery d where ${sql.join(where, sql` and `)}
        order by d.created_at desc, d.event_id desc limit ${WATCHED_DELIVERIES}) d
      where exists (select from subscription s where s.clinic_id = ${clinic_id} and s.id = ${id})
      order by d.created_at desc, d.event_id desc`,
    ),
    one === null ? [] : owner.read<DeliveryRow>(clinic, one),
  ])
  if (latest.length === 0) await requireSubscription(owner, clinic, id)
  return { data: latest.map(renderDelivery), shown: shown.map(renderDelivery)[0] ?? null }
}

async function requireSubscription(owner: ClinicDatabase, clinic: ActiveSession['clinic'], id: string): Promise<void> {
  const found = await owner.read(
    clinic,
    sql`select id from subscription where clinic_id = ${clinic.clinic_id} and id = ${id}`,
  )
  if (found.length === 0) throw notFound('webhook', id)
}

interface Ids {
  id: string
  delivery_id: string
}

interface SentRow extends DeliveryRow {
  body: string
  url: string
  secret: Uint8Array
  rotated_at: string | null
}

/** The clinic is named, not compared with another table's: a cluster has to see that all rows are one clinic's. */
const sentColumns = ({ clinic_id }: ActiveSession['clinic']) =>
  sql`, s.url, s.secret, s.rotated_at, (select event.body from event
    where event.clinic_id = ${clinic_id} and event.created_at = d.created_at and event.id = d.event_id) as body`

/** Finds a delivery, unless its subscription was deleted. Null for what is no id of one. */
function deliveryOf(clinic: ActiveSession['clinic'], { id, delivery_id }: Ids, now: Date, more = sql.empty) {
  const key = deliveryKey(delivery_id, id)
  if (key === null) return null
  const { clinic_id } = clinic
  return sql`select ${deliveryColumns(clinic, now)}${more}
    from delivery d join subscription s on s.clinic_id = ${clinic_id} and s.id = d.subscription_id
    where d.clinic_id = ${clinic_id} and d.subscription_id = ${id} and d.created_at = ${key.created_at}
      and d.event_id = ${key.event_id}`
}

/**
 * A delivery with its payload, and the headers of its latest attempt. Who reads it is put on record in the same transaction.
 *
 * @throws Problem 404
 */
export async function sentDelivery(
  owner: ClinicDatabase,
  { clinic }: ActiveSession,
  ids: Ids,
  { webhookKeys, now, beside }: Reading,
): Promise<SentDelivery> {
  const statement = deliveryOf(clinic, ids, now, sentColumns(clinic))
  if (statement === null) throw notFound('delivery', ids.delivery_id)
  const row = await owner.write(clinic, async (tx) => {
    const [found] = (await tx.query<SentRow>(statement)).rows
    if (found === undefined) throw notFound('delivery', ids.delivery_id)
    beside(tx, [found.id, found.event_id], patientsOf('event', [JSON.parse(found.body)]))
    return found
  })
  const delivery = renderDelivery(row)
  const secret = openSecret(webhookKeys, { clinic_id: clinic.clinic_id, subscription_id: ids.id }, row.secret)
  return { delivery, url: row.url, body: row.body, headers: headersOf(delivery, row, secret) }
}

interface Reading {
  webhookKeys: SigningKeys
  now: Date
  /** Adds the audit row. */
  beside: (tx: Transaction, ids: readonly string[], patient_ids: readonly string[]) => void
}

const SIGNATURES: readonly string[] = ['X-Service-Signature', 'webhook-signature']

/** Made again as they were sent. A signature is told only where the present secret alone made it: former ones are erased. */
function headersOf(delivery: Shown, { body, rotated_at }: SentRow, secret: string): SentDelivery['headers'] {
  const attempt = delivery.attempts.at(-1)
  if (attempt === undefined) return null
  const sentAt = new Date(attempt.attempted_at)
  const rotatedAt = dateOf(rotated_at)
  const isKnown = rotatedAt === null || sentAt.getTime() >= rotatedAt.getTime() + FORMER_SECRET_MS
  const { event_id, event_type } = delivery
  const signed = deliveryHeaders({ secret, body, event_id, event_type, now: sentAt })
  const all = { 'Content-Type': 'application/json; charset=utf-8', ...signed }
  return Object.entries(all).map(([name, value]) => ({
    name,
    value: isKnown || !SIGNATURES.includes(name) ? value : null,
  }))
}
