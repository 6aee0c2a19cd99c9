// The deliveries of a subscription, latest first, by what is asked for.
import type { DeliveriesQuery, ShownDelivery } from '@clinic-data/console-contract/webhook-operations'
import type { Static } from '@clinic-data/contract/schema'
import { type ClinicDatabase, type Statement, sql } from '@clinic-data/database'
import { within } from '@clinic-data/records/filters/period'
import { deliveryColumns } from '@clinic-data/webhooks/deliveries/delivery'
import { eventKey } from '@clinic-data/webhooks/deliveries/delivery-id'
import type { ActiveSession } from '../sessions/sessions.ts'
import { deliveryOf, renderShown, requireSubscription, type ShownRow } from './shown-delivery.ts'

export type Listed = Omit<Static<typeof DeliveriesQuery>, 'limit'> & {
  limit: number
  now: Date
}

interface Page {
  data: ShownDelivery[]
  meta: { next_cursor: string | null }
  shown: ShownDelivery | null
}

/** @throws Problem 404 */
export async function listDeliveries(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  id: string,
  listed: Listed,
): Promise<Page> {
  const { limit, delivery_id, now } = listed
  const one = delivery_id === undefined ? null : deliveryOf(clinic, { id, delivery_id }, now, sql`, d.is_test`)
  const [found, shown] = await Promise.all([
    consoleDatabase.read<ShownRow>(
      clinic,
      sql`select ${deliveryColumns(clinic, now)}, d.is_test
        from (${passedRows(clinic.clinic_id, id, { ...listed, most: limit + 1 })}) d ${latest}`,
    ),
    one === null ? [] : consoleDatabase.read<ShownRow>(clinic, one),
  ])
  if (found.length === 0) await requireSubscription(consoleDatabase, clinic, id)
  return {
    data: found.slice(0, limit).map(renderShown),
    meta: { next_cursor: found.length > limit ? (found[limit - 1]?.event_id ?? null) : null },
    shown: shown.map(renderShown)[0] ?? null,
  }
}

const AND = sql` and `

export const latest = sql`order by d.created_at desc, d.event_id desc`

interface Passed extends Omit<Listed, 'limit' | 'now' | 'delivery_id'> {
  most: number
}

/** The latest `most` deliveries that the filters and the cursor leave. Indexes give the rows of each state and type in order. */
export function passedRows(clinic_id: string, id: string, passed: Passed): Statement {
  const { status, event_type, from, to, cursor, most } = passed
  const after = cursor === undefined ? null : eventKey(cursor)
  const where = [
    sql`d.clinic_id = ${clinic_id} and d.subscription_id = ${id}`,
    // The log of a deleted subscription is not shown, though some of its rows still exist.
    sql`exists (select from subscription s where s.clinic_id = ${clinic_id} and s.id = ${id})`,
    ...(event_type === undefined ? [] : [sql`d.event_type = ${event_type}`]),
    ...within(sql`d.created_at`, { from, to }),
    ...(after === null
      ? []
      : [sql`(d.created_at, d.event_id) < (${after.created_at}::timestamptz, ${after.event_id})`]),
  ]
  const rows = (state: Statement) => sql`(select d.* from delivery d where ${sql.join([...where, state], AND)}
    ${latest} limit ${most})`
  return sql`select d.* from (${sql.join(status === undefined ? [rows(sql`true`)] : STATES[status].map(rows), sql` union all `)}) d
    ${latest} limit ${most}`
}

/** Each has an index, and both together have none. */
const STATES: Readonly<Record<NonNullable<Listed['status']>, readonly Statement[]>> = {
  delivered: [sql`d.status = 'delivered'`],
  failed: [sql`d.status = 'failed'`, sql`d.status = 'pending' and d.error is not null`],
  pending: [sql`d.status = 'pending'`],
}
