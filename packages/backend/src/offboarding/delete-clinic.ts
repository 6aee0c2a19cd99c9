// Deletes a clinic: first everything that could still read or change it, then its rows. The audit log stays, with the names in it.
//
//   await endWaysIn(owner, clinic_id, { now, beside })
//   await deleteClinic(owner, clinic_id, now)
import { setTimeout as delay } from 'node:timers/promises'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { type Database, type Statement, sql, type Transaction, utcSession } from '@clinic-data/database'
import { untilWritesEnd } from '../still-valid.ts'
import { clinicTables } from './clinic-tables.ts'
import { primaryKeyOf } from './primary-key.ts'

/** Rows of a table per transaction: each ends well within its time, also where a row is a piece of a file. */
const DELETED_AT_ONCE = 1_000

/**
 * Revokes all keys and tokens, disables all administrators, ends the webhooks and the account of the messaging platform. Resolves once
 * all are refused everywhere, and what they were writing is stored or undone. Ending them again changes nothing.
 *
 * @param beside runs in the same transaction, last.
 * @param wait waits that long.
 */
export async function endWaysIn(
  owner: Database,
  clinic_id: string,
  { now, beside }: { now: Date; beside: (tx: Transaction, id: string) => void },
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<void> {
  const ended = await owner.write(utcSession(clinic_id), async (tx) => {
    const ids = async (statement: Statement) => (await tx.query<{ id: string }>(statement)).rows.map(({ id }) => id)
    const holders = [
      ...(await ids(sql`update api_key set revoked_at = coalesce(revoked_at, ${now})
        where clinic_id = ${clinic_id} returning id`)),
      ...(await ids(sql`update ingest_token set revoked_at = coalesce(revoked_at, ${now})
        where clinic_id = ${clinic_id} returning id`)),
      ...(await ids(sql`update administrator set disabled_at = coalesce(disabled_at, ${now}), password = null
        where clinic_id = ${clinic_id} returning id`)),
    ]
    for (const table of ['administrator_session', 'sign_in_link'])
      await tx.query(sql`delete from ${sql.identifier(table)} where clinic_id = ${clinic_id}`)
    // Locks the lanes first, like everywhere else. Without a lane nothing is claimed.
    await tx.query(sql`delete from lane where clinic_id = ${clinic_id}`)
    await tx.query(sql`update subscription set enabled = false, is_paused = false, disabled_at = coalesce(disabled_at, ${now}),
        disabled_reason = coalesce(disabled_reason, 'the clinic leaves')
      where clinic_id = ${clinic_id} and (enabled or is_paused)`)
    await tx.query(sql`update clinic set messaging_account_id = null, messaging_account_hash = null
      where clinic_id = ${clinic_id}`)
    beside(tx, clinic_id)
    return holders
  })
  for (const id of ended) await untilWritesEnd(owner, { clinic_id, id })
  await wait(KEY_CACHE_MS)
}

/**
 * Marks the clinic as deleted and deletes its rows, table by table. What fails or is killed goes on with the next call, and with the
 * dispatcher's next round.
 *
 * @param onProgress hears how many rows are gone.
 * @returns the deleted rows by table.
 */
export async function deleteClinic(
  owner: Database,
  clinic_id: string,
  now: Date,
  onProgress?: (rows: number) => void,
): Promise<Record<string, number>> {
  await owner.write(utcSession(clinic_id), (tx) =>
    tx.query(sql`update clinic set deleted_at = coalesce(deleted_at, ${now}) where clinic_id = ${clinic_id}`),
  )
  return deleteRows(owner, clinic_id, onProgress)
}

/** Deletes the rows of a clinic that is marked as deleted, until a round finds none. @returns the deleted rows by table. */
export async function deleteRows(
  owner: Database,
  clinic_id: string,
  onProgress: (rows: number) => void = () => undefined,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  let total = 0
  for (let before = -1; before < total; ) {
    before = total
    for (const [table, { stays, first }] of Object.entries(clinicTables)) {
      if (stays !== undefined) continue
      for (const which of first === undefined ? [sql`true`] : [first, sql`true`]) {
        for await (const rows of deletedRows(owner, clinic_id, table, which)) {
          deleted[table] = (deleted[table] ?? 0) + rows
          total += rows
          onProgress(total)
        }
      }
    }
  }
  return deleted
}

async function* deletedRows(owner: Database, clinic_id: string, table: string, which: Statement) {
  const key = await primaryKeyOf(owner, table)
  const columns = sql.join(['clinic_id', ...key.map(({ name }) => name)].map(sql.identifier))
  const statement = sql`delete from ${sql.identifier(table)} where clinic_id = ${clinic_id} and (${columns}) in (
    select ${columns} from ${sql.identifier(table)} where clinic_id = ${clinic_id} and ${which} limit ${DELETED_AT_ONCE})`
  for (;;) {
    const { rowCount } = await owner.write(utcSession(clinic_id), (tx) => tx.query(statement))
    if (rowCount > 0) yield rowCount
    if (rowCount < DELETED_AT_ONCE) return
  }
}
