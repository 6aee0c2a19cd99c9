// Reads what the console shows of webhooks beside the contract: how subscriptions do, the latest deliveries, and one as it was sent.
import type { SentDelivery, ShownDelivery, WebhookHealth } from '@clinic-data/console-contract/webhook-operations'
import { patientsOf } from '@clinic-data/contract/patients-of'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { deliveryHeaders } from '@clinic-data/contract/webhook-signature'
import { type ClinicDatabase, sql, type Transaction } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { subscriptionHealth } from '@clinic-data/webhooks/subscriptions/health'
import { dateOf } from '@clinic-data/webhooks/subscriptions/lane'
import { FORMER_SECRET_MS } from '@clinic-data/webhooks/subscriptions/rotate-secret'
import { openSecret } from '@clinic-data/webhooks/subscriptions/sealed-secret'
import type { ActiveSession } from '../sessions/sessions.ts'
import { findActors } from './actors.ts'
import { type DeliveryIds, deliveryOf, renderShown, type ShownRow } from './shown-delivery.ts'

export async function webhookHealth(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  now: Date,
): Promise<WebhookHealth[]> {
  const found = await subscriptionHealth(consoleDatabase, clinic, now)
  const who = await findActors(
    consoleDatabase,
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

interface SentRow extends ShownRow {
  body: string
  url: string
  secret: Uint8Array
  rotated_at: string | null
}

/** The clinic is named, not compared with another table's: a cluster has to see that all rows are one clinic's. */
const sentColumns = ({ clinic_id }: ActiveSession['clinic']) =>
  sql`, d.is_test, s.url, s.secret, s.rotated_at, (select event.body from event
    where event.clinic_id = ${clinic_id} and event.created_at = d.created_at and event.id = d.event_id) as body`

/**
 * A delivery with its payload, and the headers of its latest attempt. Who reads it is put on record in the same transaction.
 *
 * @throws Problem 404
 */
export async function sentDelivery(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  ids: DeliveryIds,
  { webhookKeys, now, beside }: Reading,
): Promise<SentDelivery> {
  const statement = deliveryOf(clinic, ids, now, sentColumns(clinic))
  if (statement === null) throw notFound('delivery', ids.delivery_id)
  const row = await consoleDatabase.write(clinic, async (tx) => {
    const [found] = (await tx.query<SentRow>(statement)).rows
    if (found === undefined) throw notFound('delivery', ids.delivery_id)
    beside(tx, [found.id, found.event_id], patientsOf('event', [JSON.parse(found.body)]))
    return found
  })
  const delivery = renderShown(row)
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
function headersOf(delivery: ShownDelivery, { body, rotated_at }: SentRow, secret: string): SentDelivery['headers'] {
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
