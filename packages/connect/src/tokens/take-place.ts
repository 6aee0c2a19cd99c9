// A site keeps one connection of a person: the newer consent takes the place of the older ones, with their webhooks (docs/decisions/0104).
//
// A program on a computer, and a device, may be several, and nothing tells two of them apart: theirs stand beside each other.
import type { Scope } from '@clinic-data/contract'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { holdLanes } from '@clinic-data/webhooks/integrations/hold-lanes'
import { lockIntegrations } from '@clinic-data/webhooks/integrations/integration'
import { type LockedConnection, lockInTurn } from './connection-state.ts'
import { endWithin } from './end-connection.ts'
import { lostSubscriptions } from './lost-subscriptions.ts'

interface Place {
  readonly clinic_id: string
  readonly id: string
}

/** Locks those that last, also such whose codes were not exchanged yet, before the newer one. @returns whether there are any. */
export async function lockOlder(tx: Transaction, place: Place, now: Date): Promise<boolean> {
  const older = await olderOnes(tx, place, now)
  if (older.length === 0) return false
  // Their webhooks move.
  await lockIntegrations(tx, place.clinic_id)
  lockInTurn(
    tx,
    place.clinic_id,
    older.map(({ id }) => id),
  )
  return true
}

/** Call it with these locked, before the newer one's tokens are made. @returns the ids of those that it replaced. */
export async function takePlace(tx: Transaction, { clinic_id, id, scopes }: LockedConnection, now: Date) {
  const older = await olderOnes(tx, { clinic_id, id }, now)
  const ids = older.map((one) => one.id)
  const { rows: made } = await tx.query<{ id: string }>(
    sql`select id from subscription where clinic_id = ${clinic_id} and made_by = any(${ids}::text[]) order by id`,
  )
  // The lanes first, like everywhere else.
  holdLanes(
    tx,
    clinic_id,
    made.map((one) => one.id),
  )
  for (const one of older) {
    const lost = lostSubscriptions(one.scopes, scopes) ?? sql`false`
    // Nothing moves out of a stopped integration: it ends with the older one.
    await tx.query(sql`update subscription set made_by = ${id},
        integration_id = (select integration_id from api_key where clinic_id = ${clinic_id} and id = ${id})
      where clinic_id = ${clinic_id} and made_by = ${one.id} and (enabled or is_paused) and not ${lost}
        and not exists (select from integration i
          where i.clinic_id = ${clinic_id} and i.id = subscription.integration_id and i.stopped_at is not null)`)
  }
  if (ids.length > 0) await endWithin(tx, { clinic_id, which: sql`id = any(${ids}::text[])`, reason: 'replaced', now })
  return ids
}

/**
 * Ids are in the order of their consents. `offset 0` keeps the order of the tables: a plan that was made while the clinic had few keys would
 * begin with all of them, for each exchange.
 */
async function olderOnes(tx: Transaction, { clinic_id, id }: Place, now: Date) {
  const older: Statement = sql`select o.id from connection o
    where o.clinic_id = ${clinic_id} and o.app_id = c.app_id and o.administrator_id = c.administrator_id
      and o.audience is not distinct from c.audience and o.place = c.place and o.id < c.id
    offset 0`
  const lasting: Statement = sql`select k.scopes from api_key k
    where k.clinic_id = ${clinic_id} and k.id = o.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
    offset 0`
  const { rows } = await tx.query<{ id: string; scopes: Scope[] }>(sql`select o.id, k.scopes
    from connection c cross join lateral (${older}) o cross join lateral (${lasting}) k
    where c.clinic_id = ${clinic_id} and c.id = ${id} and c.place = 'web'
    order by o.id`)
  return rows
}
