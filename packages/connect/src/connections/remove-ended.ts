// Removes codes and tokens that open nothing any more, and consents whose app took no tokens; ends the subscriptions of connections that have
// expired meanwhile.

import { type Database, type Statement, sql, utcSession } from '@clinic-data/database'
import { lockIntegrations, ownIntegration, removeEmpty } from '@clinic-data/webhooks/integrations/integration'
import { endSubscriptionsOf } from '../tokens/end-connection.ts'
import { later, USED_KEPT_MS } from '../tokens/lifetimes.ts'

/** Rows per transaction, some milliseconds. */
const REMOVED_AT_ONCE = 1_000
/** Longer than a code lasts, whatever two clocks say. */
const UNUSED_KEPT_MS = 24 * 60 * 60 * 1000

/** @returns the number of removed codes and tokens of the clinic. */
export async function removeEndedTokens(owner: Database, clinic_id: string, now: Date): Promise<number> {
  await endExpiredSubscriptions(owner, clinic_id, now)
  // A used one that comes back ends its connection: it is kept for that.
  const isOver = sql`case when kind = 'access' then expires_at <= ${now}
    when used_at is null then expires_at <= ${later(now, -UNUSED_KEPT_MS)} else used_at <= ${later(now, -USED_KEPT_MS)} end`
  let removed = 0
  for (;;) {
    const rowCount = await removeSome(owner, clinic_id, isOver)
    removed += rowCount
    if (rowCount < REMOVED_AT_ONCE) break
  }
  await removeUnused(owner, clinic_id, later(now, -UNUSED_KEPT_MS))
  return removed
}

async function removeSome(owner: Database, clinic_id: string, isOver: Statement): Promise<number> {
  const statement = sql`delete from connection_token where clinic_id = ${clinic_id} and token_hash in (
    select token_hash from connection_token where clinic_id = ${clinic_id} and ${isOver}
    limit ${REMOVED_AT_ONCE} for update skip locked)`
  const session = utcSession(clinic_id)
  return (await owner.write(session, (tx) => tx.query(statement), { isDurable: false })).rowCount
}

/** Connections that no app took up: their codes have expired and are gone. */
async function removeUnused(owner: Database, clinic_id: string, before: Date): Promise<void> {
  await owner.write(utcSession(clinic_id), async (tx) => {
    // Nothing else is given to their integrations meanwhile.
    await lockIntegrations(tx, clinic_id)
    const { rows } = await tx.query<{ id: string }>(sql`select c.id from connection c
      join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id and k.created_at <= ${before}
      where c.clinic_id = ${clinic_id} and c.connected_at is null and not exists (
        select from connection_token t where t.clinic_id = ${clinic_id} and t.connection_id = c.id)
      limit ${REMOVED_AT_ONCE}`)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return
    await tx.query(sql`delete from connection where clinic_id = ${clinic_id} and id = any(${ids}::text[])`)
    await tx.query(sql`delete from api_key where clinic_id = ${clinic_id} and id = any(${ids}::text[])`)
    await removeEmpty(tx, clinic_id, ids.map(ownIntegration))
  })
}

/** Nobody acts at the moment at which a connection expires: from then on its subscriptions go on until this runs, an hour at most. */
async function endExpiredSubscriptions(owner: Database, clinic_id: string, now: Date): Promise<void> {
  await owner.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query<{ id: string }>(sql`select k.id from api_key k
      join connection c on c.clinic_id = ${clinic_id} and c.id = k.id
      where k.clinic_id = ${clinic_id} and (k.revoked_at is not null or k.expires_at <= ${now}) and exists (
        select from subscription s where s.clinic_id = ${clinic_id} and s.made_by = k.id and (s.enabled or s.is_paused))`)
    await endSubscriptionsOf(
      tx,
      clinic_id,
      rows.map(({ id }) => id),
      now,
    )
  })
}
