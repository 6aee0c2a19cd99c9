// Ends connections: their tokens are refused, and their subscriptions end with them. Whoever ends some, for whatever reason, comes here.
import { setTimeout as delay } from 'node:timers/promises'
import type { endReasons } from '@clinic-data/console-contract/connect-operations'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { type ClinicDatabase, type Statement, sql, type Transaction, utcSession } from '@clinic-data/database'
import { untilWritesEnd } from '@clinic-data/surface/still-valid'
import { endSubscriptions } from '@clinic-data/webhooks/subscriptions/end'
import { lockInTurn } from './connection-state.ts'

export type EndReason = (typeof endReasons)[number]

/** Shown beside a subscription. */
const DISCONNECTED = 'The app that made it is no longer connected.'

/**
 * Ends those of a clinic that the condition on `connection` names. Ended ones stay as they are.
 *
 * @returns their ids, also of those that had ended: whoever ended them may not have waited.
 */
export async function endWithin(
  tx: Transaction,
  { clinic_id, which, reason, now }: { clinic_id: string; which: Statement; reason: EndReason; now: Date },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    sql`select id from connection where clinic_id = ${clinic_id} and ${which} order by id`,
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return ids
  lockInTurn(tx, clinic_id, ids)
  const { rows: ended } = await tx.query<{ id: string }>(sql`update api_key set revoked_at = ${now}
    where clinic_id = ${clinic_id} and id = any(${ids}::text[]) and revoked_at is null returning id`)
  await tx.query(sql`update connection set end_reason = ${reason}
    where clinic_id = ${clinic_id} and id = any(${ended.map(({ id }) => id)}::text[]) and end_reason is null`)
  await endSubscriptionsOf(tx, clinic_id, ids, now)
  return ids
}

/**
 * A subscription is a way to data that goes on by itself, and whoever ends a connection means that too. A key's are the clinic's and go on;
 * a connection's app has nobody left who could stop them. This is final: a new connection makes new ones.
 */
export function endSubscriptionsOf(
  tx: Transaction,
  clinic_id: string,
  ids: readonly string[],
  now: Date,
  which: Statement = sql`true`,
): Promise<void> {
  return endSubscriptions(tx, clinic_id, {
    which: sql`made_by = any(${ids}::text[]) and ${which}`,
    reason: DISCONNECTED,
    now,
  })
}

export interface Ended {
  readonly clinic_id: string
  readonly ids: readonly string[]
  readonly now: Date
}

/**
 * Resolves when the ended connections are refused everywhere, and what they were writing is stored or undone. Call it after the commit.
 *
 * @param wait waits that long. Default: as long as that takes.
 * @param which subscriptions end that were made meanwhile.
 */
export async function untilRefused(
  database: ClinicDatabase,
  { clinic_id, ids, now }: Ended,
  wait: ((ms: number) => Promise<unknown>) | undefined,
  which?: Statement,
): Promise<void> {
  if (ids.length === 0) return
  await Promise.all(ids.map((id) => untilWritesEnd(database, { clinic_id, id })))
  // One of these writes may have made a subscription.
  await database.write(utcSession(clinic_id), (tx) => endSubscriptionsOf(tx, clinic_id, ids, now, which))
  await (wait ?? delay)(KEY_CACHE_MS)
}
