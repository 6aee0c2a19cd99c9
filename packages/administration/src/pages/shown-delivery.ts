// One delivery as the console shows it.
import type { ShownDelivery } from '@clinic-data/console-contract/webhook-operations'
import { type ClinicDatabase, sql } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { type DeliveryRow, deliveryColumns, renderDelivery } from '@clinic-data/webhooks/deliveries/delivery'
import { deliveryKey } from '@clinic-data/webhooks/deliveries/delivery-id'
import type { ActiveSession } from '../sessions/sessions.ts'

export interface ShownRow extends DeliveryRow {
  is_test: boolean
}

export const renderShown = (row: ShownRow): ShownDelivery => ({ ...renderDelivery(row), is_test: row.is_test })

export interface DeliveryIds {
  id: string
  delivery_id: string
}

/** Finds a delivery, unless its subscription was deleted. Null for what is no id of one. */
export function deliveryOf(
  clinic: ActiveSession['clinic'],
  { id, delivery_id }: DeliveryIds,
  now: Date,
  more = sql.empty,
) {
  const key = deliveryKey(delivery_id, id)
  if (key === null) return null
  const { clinic_id } = clinic
  return sql`select ${deliveryColumns(clinic, now)}${more}
    from delivery d join subscription s on s.clinic_id = ${clinic_id} and s.id = d.subscription_id
    where d.clinic_id = ${clinic_id} and d.subscription_id = ${id} and d.created_at = ${key.created_at}
      and d.event_id = ${key.event_id}`
}

/** @throws Problem 404 */
export async function requireSubscription(
  consoleDatabase: ClinicDatabase,
  clinic: ActiveSession['clinic'],
  id: string,
): Promise<void> {
  const found = await consoleDatabase.read(
    clinic,
    sql`select id from subscription where clinic_id = ${clinic.clinic_id} and id = ${id}`,
  )
  if (found.length === 0) throw notFound('webhook', id)
}
