// The page of one key: what it did last, the webhooks that it made, and what can be changed of it.
import { requestsOfDay } from '@clinic-data/audit/audit-hours'
import { latestUse } from '@clinic-data/audit/latest-use'
import type { ConsoleKey } from '@clinic-data/console-contract/console-resources'
import type { KeyPage } from '@clinic-data/console-contract/key-operations'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, sql } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { isNoConnection } from '../credentials/keys.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { expiryOf, findConsoleKey } from './console-keys.ts'

/** @throws Problem 404 */
export async function keyPage(
  database: ClinicDatabase,
  session: ActiveSession,
  id: string,
  now: Date,
): Promise<KeyPage> {
  const { clinic } = session
  const key = await findConsoleKey(database, session, id, await requestsOfDay(database, clinic, now))
  const [use, webhooks] = await Promise.all([
    latestUse(database, clinic, { key_ids: [id], last_used_at: key.last_used_at, now }),
    database.read<KeyPage['webhooks'][number]>(
      clinic,
      sql`select id, url, description, enabled from subscription
        where clinic_id = ${clinic.clinic_id} and made_by = ${id} order by created_at, id`,
    ),
  ])
  return { ...key, ...use, webhooks }
}

export interface KeyChange {
  readonly id: string
  readonly name?: string | undefined
  readonly expires_at?: string | null | undefined
  readonly rate_limit?: number | null | undefined
}

/** @throws Problem 404, 409 for a revoked key, 422 for an expiry that has passed. */
export async function changeKey(
  database: ClinicDatabase,
  session: ActiveSession,
  { id, name, expires_at, rate_limit }: KeyChange,
  { now, beside }: { now: Date; beside: InSameTransaction },
): Promise<ConsoleKey> {
  const { clinic } = session
  const { clinic_id } = clinic
  const columns = [
    sql`name = ${name === undefined ? sql`name` : sql`${name}`}`,
    ...(expires_at === undefined ? [] : [sql`expires_at = ${expiryOf(expires_at, now)}`]),
    ...(rate_limit === undefined ? [] : [sql`rate_limit = ${rate_limit}`]),
  ]
  await database.write(clinic, async (tx) => {
    const { rows } = await tx.query<{ revoked_at: string | null }>(sql`update api_key set ${sql.join(columns)}
      where clinic_id = ${clinic_id} and id = ${id} and ${isNoConnection(sql`id`)} returning revoked_at`)
    const [row] = rows
    if (row === undefined) throw notFound('key', id)
    if (row.revoked_at !== null) throw new Problem('conflict', REVOKED)
    beside(tx, id)
  })
  return findConsoleKey(database, session, id, await requestsOfDay(database, clinic, now))
}

const REVOKED = 'The key is revoked, and nothing of it can be changed. Mint another one.'
