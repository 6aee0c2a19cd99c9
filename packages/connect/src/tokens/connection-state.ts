// The connection behind a code or a token, locked until its transaction ends: whoever changes or ends a connection does it in turn.

import type { Scope } from '@clinic-data/contract'
import type { Audience } from '@clinic-data/contract/grant'
import { instant, type Statement, sql, type Transaction } from '@clinic-data/database'

export interface LockedConnection {
  readonly id: string
  readonly clinic_id: string
  readonly app_id: string
  readonly audience: Audience | null
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date | null
  /** From where alone its tokens may be used, and taken. Null: from anywhere. */
  readonly networks: readonly string[] | null
  /** It has not ended and is not stopped, its clinic is open and allows the app, and whoever connected it may still sign in. */
  readonly isUsable: boolean
  /** Its integration is stopped, and once that is undone it is usable. */
  readonly isStopped: boolean
}

interface StateRow {
  app_id: string
  audience: Audience | null
  scopes: Scope[]
  expires_at: string | null
  networks: string[] | null
  lasts: boolean
  is_stopped: boolean
}

/** Null if there is none. */
export async function lockConnection(
  tx: Transaction,
  { clinic_id, id }: { clinic_id: string; id: string },
  now: Date,
): Promise<LockedConnection | null> {
  lockInTurn(tx, clinic_id, [id])
  return lockedConnection(tx, { clinic_id, id }, now)
}

/** The same where the lock has been sent. Another statement: only one that begins after the wait for it sees what was committed meanwhile. */
export async function lockedConnection(
  tx: Transaction,
  { clinic_id, id }: { clinic_id: string; id: string },
  now: Date,
): Promise<LockedConnection | null> {
  const { rows } = await tx.query<StateRow>(sql`
    select c.app_id, c.audience, k.scopes, k.expires_at, k.networks,
      k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}) and a.disabled_at is null
        and clinic.closed_at is null and ${ruleAllows(sql`c.is_verified`)} as lasts, k.stopped_at is not null as is_stopped
    from connection c
      join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id
      join administrator a on a.clinic_id = ${clinic_id} and a.id = c.administrator_id
      join clinic on clinic.clinic_id = ${clinic_id}
    where c.clinic_id = ${clinic_id} and c.id = ${id}`)
  const [row] = rows
  if (row === undefined) return null
  const { app_id, audience, scopes, expires_at, networks, lasts, is_stopped } = row
  const expiresAt = expires_at === null ? null : new Date(instant(expires_at) ?? '')
  const state = { isUsable: lasts && !is_stopped, isStopped: lasts && is_stopped }
  return { id, clinic_id, app_id, audience, scopes, expiresAt, networks, ...state }
}

/** On a row of `clinic`: whether its own rule allows an app. */
export function ruleAllows(isVerified: Statement): Statement {
  return sql`(clinic.allowed_apps = 'any' or (clinic.allowed_apps = 'verified' and ${isVerified}))`
}

/**
 * The next awaited statement waits for all who change one of these connections or its tokens, until the transaction ends. By advisory locks: on a cluster that of a
 * row takes locks of the tables that all clinics share.
 *
 * @param ids sorted, so that two who want the same ones never wait for each other.
 */
export function lockInTurn(tx: Transaction, clinic_id: string, ids: readonly string[]): void {
  tx.send(sql`select pg_advisory_xact_lock(hashtextextended(${clinic_id}::text || ' connection ' || id, 0))
    from unnest(${ids}::text[]) as id`)
}
