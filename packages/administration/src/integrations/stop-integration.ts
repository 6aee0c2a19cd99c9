// Stop, and its undoing: everything of one partner at once (docs/decisions/0100).
//
//   await stopIntegration(database, clinic, { id, by: administrator_id, now, wait, record })
import { setTimeout as delay } from 'node:timers/promises'
import { markStopsSeen } from '@clinic-data/audit/watch/stopping-rules'
import { lockInTurn } from '@clinic-data/connect/tokens/connection-state'
import type { StopAnswer } from '@clinic-data/console-contract/integration-operations'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { type ClinicDatabase, type ClinicSession, instant, sql, type Transaction } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { untilWritesEnd } from '@clinic-data/surface/still-valid'
import { START_WINDOW_MS } from '@clinic-data/webhooks/engine/engine-limits'
import { resumeWebhooks, type StoppedWebhooks, stopWebhooks } from '@clinic-data/webhooks/engine/stopped-webhooks'
import { adoptWithin } from '@clinic-data/webhooks/integrations/adopt'
import { namedAlike } from '@clinic-data/webhooks/integrations/same-name'
import { isNoConnection } from '../credentials/keys.ts'

export interface Stopping {
  readonly id: string
  /** The administrator, or the watch. Null: the operator. */
  readonly by: string | null
  readonly now: Date
  /** Waits so long. Default: as long as that takes. */
  readonly wait?: ((ms: number) => Promise<unknown>) | undefined
  /** Adds the audit row. */
  readonly record: (tx: Transaction, ids: readonly string[]) => void
}

/** A gateway uses what it knows of a key for so long, and a dispatcher begins what it has claimed. */
const REFUSED_AFTER_MS = Math.max(KEY_CACHE_MS, START_WINDOW_MS)

/**
 * Resolves when its keys and connections are refused everywhere, what they were writing is stored or undone, and no delivery to its webhooks
 * begins. Stopping it again changes nothing, and waits as long. Others with its name, which a former version has made, are stopped with it.
 *
 * @throws Problem 404
 */
export async function stopIntegration(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { id, by, now, wait, record }: Stopping,
): Promise<StopAnswer> {
  const { integrations, ids, answer } = await database.write(clinic, async (tx) => {
    const stopped = await stopWithin(tx, clinic.clinic_id, { id, by, now })
    record(tx, stopped.integrations)
    return stopped
  })
  await untilStopped(database, clinic, { integrations, ids, now, wait })
  return answer
}

export interface Stopped {
  /** It, and those with its name. */
  readonly integrations: readonly string[]
  /** The ids of their keys and connections. */
  readonly ids: readonly string[]
  readonly answer: StopAnswer
}

/** In the transaction of whoever stops it. `untilStopped` comes after the commit. @throws Problem 404 */
export async function stopWithin(
  tx: Transaction,
  clinic_id: string,
  { id, by, now }: Pick<Stopping, 'id' | 'by' | 'now'>,
): Promise<Stopped> {
  await adoptWithin(tx, clinic_id)
  const { name } = await requireIntegration(tx, clinic_id, id)
  const others = (await namedAlike(tx, clinic_id, name)).map((one) => one.id).filter((one) => one !== id)
  const integrations = [id, ...others]
  await tx.query(sql`update integration set stopped_at = ${now}, stopped_by = ${by}
    where clinic_id = ${clinic_id} and id = any(${integrations}::text[]) and stopped_at is null`)
  return { integrations, ...(await stopMembers(tx, clinic_id, integrations, now)) }
}

/** @param ids of the keys and connections that were stopped. */
export async function untilStopped(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { integrations, ids, now, wait = delay }: Pick<Stopping, 'now' | 'wait'> & Pick<Stopped, 'integrations' | 'ids'>,
): Promise<void> {
  const { clinic_id } = clinic
  await Promise.all(ids.map((holder) => untilWritesEnd(database, { clinic_id, id: holder })))
  // One of these writes may have made a webhook in a process of the version before, which asks for no integration.
  await database.write(clinic, async (tx) => {
    await adoptWithin(tx, clinic_id)
    const { rows } = await tx.query<{ id: string }>(sql`select id from integration
      where clinic_id = ${clinic_id} and id = any(${integrations}::text[]) and stopped_at is not null`)
    const still = rows.map((one) => one.id)
    if (still.length > 0) await stopMembers(tx, clinic_id, still, now)
  })
  await wait(REFUSED_AFTER_MS)
}

/** @param of integrations, the first of which is answered for. */
export async function stopMembers(tx: Transaction, clinic_id: string, of: readonly string[], now: Date) {
  const [id = ''] = of
  const theirs = sql`clinic_id = ${clinic_id} and integration_id = any(${of}::text[])`
  const { rows: keys } = await tx.query<{ id: string }>(sql`select id from api_key where ${theirs} order by id`)
  const ids = keys.map((one) => one.id)
  // Whoever exchanges a code or a token does it in turn.
  await lockInTurn(tx, clinic_id, ids)
  await tx.query(sql`update api_key set stopped_at = ${now} where ${theirs} and stopped_at is null`)
  const { rows } = await tx.query<{ keys: number; connections: number }>(sql`
    select count(*) filter (where ${isNoConnection(sql`id`)})::integer as keys,
      count(*) filter (where not ${isNoConnection(sql`id`)})::integer as connections
    from api_key where ${theirs} and revoked_at is null and (expires_at is null or expires_at > ${now})`)
  const webhooks = await stopWebhooks(tx, { clinic_id, integration_ids: of, now })
  const { stopped_at } = await requireIntegration(tx, clinic_id, id)
  return { ids, answer: answerOf({ id, stopped_at }, rows[0], webhooks) }
}

/** Restores what Stop did, and nothing else. Undoing it again changes nothing. @throws Problem 404 */
export async function resumeIntegration(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { id, by, now, record }: Pick<Stopping, 'id' | 'by' | 'now' | 'record'>,
): Promise<StopAnswer> {
  const { clinic_id } = clinic
  return database.write(clinic, async (tx) => {
    await adoptWithin(tx, clinic_id)
    await requireIntegration(tx, clinic_id, id)
    await tx.query(sql`update integration set stopped_at = null, stopped_by = null,
        resumed_at = case when stopped_at is null then resumed_at else ${now}::timestamptz end
      where clinic_id = ${clinic_id} and id = ${id}`)
    if (by !== null) await markStopsSeen(tx, clinic_id, { integration_id: id, by, now })
    const { rows } = await tx.query<{ id: string; is_key: boolean; goes_on: boolean }>(sql`
      update api_key set stopped_at = null
      where clinic_id = ${clinic_id} and integration_id = ${id} and stopped_at is not null
      returning id, ${isNoConnection(sql`id`)} as is_key,
        revoked_at is null and (expires_at is null or expires_at > ${now}) as goes_on`)
    const live = rows.filter(({ goes_on }) => goes_on)
    const keys = live.filter(({ is_key }) => is_key).length
    const webhooks = await resumeWebhooks(tx, { clinic_id, integration_ids: [id], now })
    record(tx, [id])
    return answerOf({ id, stopped_at: null }, { keys, connections: live.length - keys }, webhooks)
  })
}

function answerOf(
  { id, stopped_at }: { id: string; stopped_at: string | null },
  { keys, connections }: { keys: number; connections: number } = { keys: 0, connections: 0 },
  { webhooks, waiting, expired }: StoppedWebhooks,
): StopAnswer {
  return { id, stopped_at: instant(stopped_at), keys, connections, webhooks, waiting, expired }
}

/** @throws Problem 404 */
async function requireIntegration(
  tx: Transaction,
  clinic_id: string,
  id: string,
): Promise<{ name: string; stopped_at: string | null }> {
  const { rows } = await tx.query<{ name: string; stopped_at: string | null }>(
    sql`select name, stopped_at from integration where clinic_id = ${clinic_id} and id = ${id}`,
  )
  const [row] = rows
  if (row === undefined) throw notFound('integration', id)
  return row
}
