// Closes a clinic: nothing opens it any more, and what was being written is stored or undone. There is no way back (docs/decisions/0090).
//
//   await closeClinic(owner, clinic_id, { now, beside })
import { setTimeout as delay } from 'node:timers/promises'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import { REPORTS, untilWritesEnd } from '@clinic-data/surface/still-valid'
import { failDisabled } from '@clinic-data/webhooks/subscriptions/disable'

/**
 * Revokes all keys and tokens, disables all administrators, ends the webhooks and the account of the messaging platform. Resolves once
 * all are refused everywhere, and what they were writing is stored or undone. Closing it again changes nothing.
 *
 * @param beside runs in the transaction that closes it, last.
 * @param wait waits that long.
 */
export async function closeClinic(
  owner: Database,
  clinic_id: string,
  { now, beside }: { now: Date; beside: (tx: Transaction, id: string) => void },
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<void> {
  await owner.write(utcSession(clinic_id), async (tx) => {
    const closing = sql`update clinic set closed_at = ${now} where clinic_id = ${clinic_id} and closed_at is null returning clinic_id`
    const { rows } = await tx.query(closing)
    if (rows.length > 0) beside(tx, clinic_id)
  })
  // One of them may have been making another key, a webhook or an account meanwhile. That ends in the next round. Those that ended before
  // are waited for, too: the call that ended them may have been killed in its wait.
  const quiet = new Set<string>()
  for (;;) {
    const holders = await owner.write(utcSession(clinic_id), (tx) => endAll(tx, clinic_id, now))
    const writing = holders.filter((id) => !quiet.has(id))
    if (writing.length === 0) break
    for (const id of writing) {
      await untilWritesEnd(owner, { clinic_id, id })
      quiet.add(id)
    }
  }
  await wait(KEY_CACHE_MS)
}

/** @returns the ids of all who could write, also of those that had ended before. */
async function endAll(tx: Transaction, clinic_id: string, now: Date): Promise<string[]> {
  await tx.query(sql`update api_key set revoked_at = ${now} where clinic_id = ${clinic_id} and revoked_at is null`)
  await tx.query(sql`update ingest_token set revoked_at = ${now} where clinic_id = ${clinic_id} and revoked_at is null`)
  await tx.query(sql`update administrator set disabled_at = ${now}, password = null
    where clinic_id = ${clinic_id} and disabled_at is null`)
  for (const table of ['administrator_session', 'sign_in_link'])
    await tx.query(sql`delete from ${sql.identifier(table)} where clinic_id = ${clinic_id}`)
  // The lanes first, like everywhere else. Without its lane nothing is claimed, and without its lease nothing is begun.
  await tx.query(sql`delete from lane where clinic_id = ${clinic_id}`)
  await tx.query(sql`update subscription
    set enabled = false, is_paused = false, disabled_at = ${now}, disabled_reason = 'The clinic was closed.'
    where clinic_id = ${clinic_id} and (enabled or is_paused)`)
  await failDisabled(tx, sql`d.clinic_id = ${clinic_id}`)
  await tx.query(sql`update clinic set messaging_account_id = null, messaging_account_hash = null
    where clinic_id = ${clinic_id} and messaging_account_hash is not null`)
  const { rows } = await tx.query<{ id: string }>(sql`select id from api_key where clinic_id = ${clinic_id}
    union all select id from ingest_token where clinic_id = ${clinic_id}
    union all select id from administrator where clinic_id = ${clinic_id}`)
  return [REPORTS, ...rows.map(({ id }) => id)]
}
