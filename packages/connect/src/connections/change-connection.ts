// Narrows a connection, moves its end, or ends it. Each is answered when it holds everywhere.
import { opensPatients } from '@clinic-data/console-contract/approvals'
import type { Connection } from '@clinic-data/console-contract/connect-operations'
import { allScopes, type Fault, Problem, type Scope } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { isWiderThan, spelledNetworks } from '@clinic-data/contract/network'
import { type ClinicDatabase, type ClinicSession, sql, type Transaction } from '@clinic-data/database'
import { requireAsKnown } from '@clinic-data/surface/as-known'
import type { RequireApproval } from '@clinic-data/surface/require-approval'
import { stopped } from '@clinic-data/webhooks/integrations/integration'
import { requireLife } from '../longest-life.ts'
import { requireGiver } from '../require-giver.ts'
import { type LockedConnection, lockConnection } from '../tokens/connection-state.ts'
import { endSubscriptionsOf, endWithin, untilRefused } from '../tokens/end-connection.ts'
import { lostSubscriptions } from '../tokens/lost-subscriptions.ts'
import { findConnection, type SeenConnections } from './connections.ts'

export interface Changing {
  readonly id: string
  /** The person who changes it. */
  readonly by: string
  readonly now: Date
  /** Others are as unknown to whoever asks. */
  readonly seen?: SeenConnections
  readonly wait: ((ms: number) => Promise<unknown>) | undefined
  /** Asks for a proof of who changes it. Called with whether it gives more than there is. @throws Problem 403 */
  readonly requireCare: (isNeeded: boolean) => void
  readonly requireApproval: RequireApproval
  /** Adds the audit row. */
  readonly record: (tx: Transaction, ids: readonly string[]) => void
}

export interface ConnectionChange {
  readonly scopes?: readonly Scope[] | undefined
  readonly expires_at?: string | null | undefined
  readonly networks?: readonly string[] | null | undefined
  /** The same fields, as the form was opened on. */
  readonly known?: object | undefined
}

/** The longest time that a person can choose at the consent. */
const LONGEST_MS = 365 * 24 * 60 * 60 * 1000

/**
 * Who widens it gives the app all of its scopes again.
 *
 * @throws Problem 404, 409 for an ended connection, 422 for a scope that it lacks, for one that the person may not give when it is widened, and for
 * an end that has passed or is too far.
 */
export async function changeConnection(
  database: ClinicDatabase,
  clinic: ClinicSession,
  change: ConnectionChange,
  { id, by, now, seen, wait, requireCare, requireApproval, record }: Changing,
): Promise<Connection> {
  const { clinic_id } = clinic
  const { app } = await findConnection(database, clinic, id, now, seen)
  const lost = await database.write(clinic, async (tx) => {
    const stored = await lockConnection(tx, { clinic_id, id }, now)
    if (stored?.isStopped) throw stopped()
    if (stored === null || !stored.isUsable) throw new Problem('conflict', ENDED)
    requireAsKnown({ ...stored, expires_at: stored.expiresAt }, change.known)
    const faults = faultsOf(change, stored, now)
    if (faults.length > 0) throw faultProblem('unprocessable', faults)
    const scopes = allScopes.filter((scope) => (change.scopes ?? stored.scopes).includes(scope))
    const expires_at = change.expires_at === undefined ? stored.expiresAt : dateOf(change.expires_at)
    const isLonger = isLater(expires_at, stored.expiresAt)
    const networks = change.networks === undefined ? stored.networks : spelledNetworks(change.networks)
    const isWider = isLonger || isWiderThan(networks, stored.networks)
    if (isWider) await requireGiver(tx, { clinic_id, id: by }, scopes)
    requireCare(isWider)
    const former = { expires_at: stored.expiresAt?.toISOString() ?? null, networks: stored.networks }
    await requireApproval(tx, { isNeeded: isWider && opensPatients(scopes), shown: { name: app.name, scopes, former } })
    if (isLonger) requireLife(tx, { clinic_id, expires_at, pointer: '#/expires_at', now })
    await tx.query(sql`update api_key set scopes = ${scopes}, expires_at = ${expires_at}, networks = ${networks}
      where clinic_id = ${clinic_id} and id = ${id}`)
    const lost = lostSubscriptions(stored.scopes, scopes)
    if (lost !== null) await endSubscriptionsOf(tx, clinic_id, [id], now, lost)
    record(tx, [id])
    return lost
  })
  await untilRefused(database, { clinic_id, ids: [id], now }, wait, lost ?? sql`false`)
  return findConnection(database, clinic, id, now)
}

const ENDED = 'The connection has ended, and nothing of it can be changed. The app can be connected again.'

function faultsOf({ scopes = [], expires_at = null }: ConnectionChange, stored: LockedConnection, now: Date): Fault[] {
  const faults: Fault[] = []
  if (scopes.some((scope) => !stored.scopes.includes(scope))) {
    const detail = 'can only be taken away. To give the app more, connect it again'
    faults.push({ pointer: '#/scopes', code: 'wider', detail })
  }
  const at = dateOf(expires_at)
  if (at !== null && at <= now) faults.push({ pointer: '#/expires_at', code: 'past', detail: 'must be in the future' })
  if (at !== null && at.getTime() > now.getTime() + LONGEST_MS)
    faults.push({ pointer: '#/expires_at', code: 'too_far', detail: 'must be within 365 days, or null for no end' })
  return faults
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/** Null is never. */
export function isLater(wanted: Date | null, stored: Date | null): boolean {
  return stored !== null && (wanted === null || wanted > stored)
}

/** Resolves when its tokens are refused everywhere. Ending it again changes nothing. @throws Problem 404 */
export async function endConnection(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { id, now, seen, wait, record }: Omit<Changing, 'by' | 'requireCare' | 'requireApproval'>,
): Promise<Connection> {
  const { clinic_id } = clinic
  await findConnection(database, clinic, id, now, seen)
  await database.write(clinic, async (tx) => {
    await endWithin(tx, { clinic_id, which: sql`id = ${id}`, reason: 'ended', now })
    record(tx, [id])
  })
  await untilRefused(database, { clinic_id, ids: [id], now }, wait)
  return findConnection(database, clinic, id, now)
}
