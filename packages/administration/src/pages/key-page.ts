// The page of one key: what it did last, the webhooks that it made, and what can be changed of it.
import { setTimeout as delay } from 'node:timers/promises'
import { requestsOfDay } from '@clinic-data/audit/audit-hours'
import { latestUse } from '@clinic-data/audit/latest-use'
import { isLater } from '@clinic-data/connect/connections/change-connection'
import { requireLife } from '@clinic-data/connect/longest-life'
import { opensPatients } from '@clinic-data/console-contract/approvals'
import type { ConsoleKey } from '@clinic-data/console-contract/console-resources'
import type { KeyPage } from '@clinic-data/console-contract/key-operations'
import { KEY_CACHE_MS, Problem, type Scope } from '@clinic-data/contract'
import { isWiderThan, spelledNetworks } from '@clinic-data/contract/network'
import { type ClinicDatabase, instant, sql } from '@clinic-data/database'
import { changedMeanwhile, requireAsKnown } from '@clinic-data/surface/as-known'
import { notFound } from '@clinic-data/surface/not-found'
import type { RequireApproval, Shown } from '@clinic-data/surface/require-approval'
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
  readonly networks?: readonly string[] | null | undefined
  /** The same fields, as the form was opened on. */
  readonly known?: object | undefined
}

export interface ChangingKey {
  now: Date
  /** Requests a minute of a key without a limit of its own. */
  usualRate: number
  /** Asks for a proof of who changes it. Called with whether the key may do more than before. @throws Problem 403 */
  requireCare: (isNeeded: boolean) => void
  requireApproval: RequireApproval
  wait: ((ms: number) => Promise<unknown>) | undefined
  beside: InSameTransaction
}

/**
 * Resolves when it is refused wherever it is no longer allowed.
 *
 * @throws Problem 404, 403 where a proof or an approval is wanted, 409 for a revoked key, 422 for an expiry that has passed or is too far.
 */
export async function changeKey(
  database: ClinicDatabase,
  session: ActiveSession,
  { id, name, expires_at, rate_limit, known, ...change }: KeyChange,
  { now, usualRate, requireCare, requireApproval, wait = delay, beside }: ChangingKey,
): Promise<ConsoleKey> {
  const { clinic } = session
  const { clinic_id } = clinic
  const until = expires_at === undefined ? undefined : expiryOf(expires_at, now)
  const networks = change.networks === undefined ? undefined : spelledNetworks(change.networks)
  const columns = [
    sql`name = ${name === undefined ? sql`name` : sql`${name}`}`,
    ...(until === undefined ? [] : [sql`expires_at = ${until}`]),
    ...(rate_limit === undefined ? [] : [sql`rate_limit = ${rate_limit}`]),
    ...(networks === undefined ? [] : [sql`networks = ${networks}`]),
  ]
  const which = sql`clinic_id = ${clinic_id} and id = ${id} and ${isNoConnection(sql`id`)}`
  const isBound = await database.write(clinic, async (tx) => {
    const { rows } = await tx.query<StoredLimits>(
      sql`select name, scopes, expires_at, rate_limit, networks, revoked_at from api_key where ${which}`,
    )
    const [stored] = rows
    if (stored === undefined) throw notFound('key', id)
    if (stored.revoked_at !== null) throw new Problem('conflict', REVOKED)
    const former = stored.expires_at === null ? null : new Date(instant(stored.expires_at) ?? '')
    requireAsKnown({ ...stored, expires_at: former }, known)
    const isFaster = rate_limit !== undefined && (rate_limit ?? usualRate) > (stored.rate_limit ?? usualRate)
    const isLonger = until !== undefined && isLater(until, former)
    const isWider = isLonger || isFaster || (networks !== undefined && isWiderThan(networks, stored.networks))
    requireCare(isWider)
    await requireApproval(tx, { isNeeded: isWider && opensPatients(stored.scopes), shown: shownOf(stored, former) })
    if (isLonger) requireLife(tx, { clinic_id, expires_at: until, pointer: '#/expires_at', now })
    // No lock on the row: a cluster would lock the keys of all clinics. What was compared must still be so.
    const { rowCount } =
      await tx.query(sql`update api_key set ${sql.join(columns)} where ${which} and revoked_at is null and name = ${stored.name}
      and expires_at is not distinct from ${former}::timestamptz and rate_limit is not distinct from ${stored.rate_limit}::integer
      and networks is not distinct from ${stored.networks}::text[]`)
    if (rowCount === 0) throw changedMeanwhile()
    beside(tx, id)
    return networks !== undefined && isWiderThan(stored.networks, networks)
  })
  // Until then a gateway may let it in from where it was allowed before.
  if (isBound) await wait(KEY_CACHE_MS)
  return findConsoleKey(database, session, id, await requestsOfDay(database, clinic, now))
}

function shownOf({ name, scopes, rate_limit, networks }: StoredLimits, expires_at: Date | null): Shown {
  return { name, scopes, former: { expires_at: expires_at?.toISOString() ?? null, rate_limit, networks } }
}

interface StoredLimits {
  name: string
  scopes: Scope[]
  expires_at: string | null
  rate_limit: number | null
  networks: string[] | null
  revoked_at: string | null
}

const REVOKED = 'The key is revoked, and nothing of it can be changed. Mint another one.'
