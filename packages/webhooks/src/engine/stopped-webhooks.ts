// Pauses the webhooks of a stopped integration, and enables them again. Unlike a pause by hand it keeps what waits: no claim takes it until
// Stop is undone (docs/decisions/0100).
import { sql, type Transaction } from '@clinic-data/database'
import { keepFormer } from '../subscriptions/former-subscription.ts'
import { HORIZON_MS } from './retry-schedule.ts'

/** Shown beside a subscription. */
const STOPPED = 'Its integration was stopped.'

export interface Stopping {
  readonly clinic_id: string
  readonly integration_ids: readonly string[]
  readonly now: Date
}

export interface StoppedWebhooks {
  readonly webhooks: number
  /** Deliveries that wait. */
  readonly waiting: number
  /** Deliveries whose time ended while they waited. */
  readonly expired: number
}

/**
 * From the commit on nothing is claimed. What was claimed before loses its lease: an attempt that has not begun within `START_WINDOW_MS`
 * does not begin. Those that are paused by hand stay as they are.
 */
export async function stopWebhooks(
  tx: Transaction,
  { clinic_id, integration_ids, now }: Stopping,
): Promise<StoppedWebhooks> {
  const theirs = sql`clinic_id = ${clinic_id} and integration_id = any(${integration_ids}::text[])`
  const { rows: enabled } = await tx.query<{ id: string }>(
    sql`select id from subscription where ${theirs} and enabled order by id`,
  )
  const ids = enabled.map(({ id }) => id)
  if (ids.length > 0) {
    // The lanes first, like everywhere else. A claim holds the lane of what it takes.
    await tx.query(sql`update lane set is_stopped = true, leases = '{}'
      where clinic_id = ${clinic_id} and subscription_id = any(${ids}::text[])`)
    await keepFormer(tx, clinic_id, ids, now)
    await tx.query(sql`update subscription
      set enabled = false, is_paused = true, disabled_at = ${now}, disabled_reason = ${STOPPED}, stopped_at = ${now}
      where clinic_id = ${clinic_id} and id = any(${ids}::text[]) and enabled`)
    await tx.query(sql`update delivery d set lease_id = null, lease_until = null
      where d.clinic_id = ${clinic_id} and d.subscription_id = any(${ids}::text[]) and d.status = 'pending'
        and d.lease_id is not null`)
  }
  const stopped = await stoppedOf(tx, { clinic_id, integration_ids })
  return { webhooks: stopped.length, waiting: await countWaiting(tx, clinic_id, stopped), expired: 0 }
}

/** Those that Stop has paused are enabled again, as with a new address: the receiver’s failures of before count no more. */
export async function resumeWebhooks(
  tx: Transaction,
  { clinic_id, integration_ids, now }: Stopping,
): Promise<StoppedWebhooks> {
  const ids = await stoppedOf(tx, { clinic_id, integration_ids })
  if (ids.length === 0) return { webhooks: 0, waiting: 0, expired: 0 }
  await tx.query(sql`delete from lane where clinic_id = ${clinic_id} and subscription_id = any(${ids}::text[])`)
  await keepFormer(tx, clinic_id, ids, now)
  // One that ended, or was paused by hand, before its lane was ours stays so.
  const { rows: enabled } = await tx.query<{ id: string }>(sql`update subscription
    set enabled = true, is_paused = false, disabled_at = null, disabled_reason = null, stopped_at = null
    where clinic_id = ${clinic_id} and id = any(${ids}::text[])
      and is_paused and stopped_at is not null returning id`)
  const resumed = enabled.map(({ id }) => id).sort()
  if (resumed.length === 0) return { webhooks: 0, waiting: 0, expired: 0 }
  const { rowCount: expired } = await tx.query(sql`update delivery d
    set status = 'failed', due_at = null, error = 'subscription_disabled', lease_id = null, lease_until = null
    where d.clinic_id = ${clinic_id} and d.subscription_id = any(${resumed}::text[]) and d.status = 'pending'
      and coalesce(d.scheduled_from, d.created_at) < ${new Date(now.getTime() - HORIZON_MS)} and d.manual_from is null`)
  // Some may have been asked for by hand: a claim looks for these once.
  const lanes = resumed.map((id) => [clinic_id, id, true])
  await tx.query(sql`insert into lane (clinic_id, subscription_id, has_urgent) values ${sql.values(lanes)}`)
  return { webhooks: resumed.length, waiting: await countWaiting(tx, clinic_id, resumed), expired }
}

/** Those that Stop has paused. One that was ended meanwhile, for its connection has ended, say, is none any more. */
async function stoppedOf(
  tx: Transaction,
  { clinic_id, integration_ids }: Pick<Stopping, 'clinic_id' | 'integration_ids'>,
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(sql`select id from subscription
    where clinic_id = ${clinic_id} and integration_id = any(${integration_ids}::text[]) and stopped_at is not null and is_paused
    order by id`)
  return rows.map(({ id }) => id)
}

async function countWaiting(tx: Transaction, clinic_id: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await tx.query<{ waiting: number }>(sql`select count(*)::integer as waiting from delivery
    where clinic_id = ${clinic_id} and subscription_id = any(${ids}::text[]) and status = 'pending'`)
  return rows[0]?.waiting ?? 0
}
