// The keys of a clinic as its administrators see, mint and revoke them.

import { requestsOfDay } from '@clinic-data/audit/audit-hours'
import { requireLife } from '@clinic-data/connect/longest-life'
import { opensPatients } from '@clinic-data/console-contract/approvals'
import { CONSOLE_KEYS, type ConsoleKey, type MintedConsoleKey } from '@clinic-data/console-contract/console-resources'
import type { Scope } from '@clinic-data/contract'
import { Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { type ClinicDatabase, type Statement, sql, withInstants } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import type { RequireApproval } from '@clinic-data/surface/require-approval'
import type { IntegrationChoice } from '@clinic-data/webhooks/integrations/integration'
import { AlreadyMinted, type InSameTransaction } from '../credentials/credentials.ts'
import { isNoConnection, type ListedKey, mintKey, revokeKey } from '../credentials/keys.ts'
import type { ActiveSession } from '../sessions/sessions.ts'

/** The keys of the session's clinic, or of these, newest first, including revoked and expired ones. */
export async function listConsoleKeys(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  now: Date,
  key_ids?: readonly string[],
): Promise<ConsoleKey[]> {
  const { clinic_id } = session.clinic
  const [keys, counts] = await Promise.all([
    consoleDatabase.read<KeyRow>(
      session.clinic,
      keysWhere(clinic_id, key_ids === undefined ? sql`true` : sql`k.id = any(${key_ids}::text[])`),
    ),
    requestsOfDay(consoleDatabase, session.clinic, now, key_ids),
  ])
  return keys.map((row) => consoleKey(row, counts.get(row.id) ?? 0))
}

export interface WantedKey extends IntegrationChoice {
  name: string
  scopes: readonly Scope[]
  expires_at?: string | null
  rate_limit?: number | null
  networks?: readonly string[] | null
}

interface Minting {
  mint_request: string
  now: Date
  requireApproval: RequireApproval
  beside: InSameTransaction
}

/**
 * @throws Problem 422 for an expiry that has passed or is too far, 409 for a request that has minted a key already, 403 where another person has to
 * approve it.
 */
export async function mintConsoleKey(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { name, scopes, ...wanted }: WantedKey,
  { mint_request, now, requireApproval, beside }: Minting,
): Promise<MintedConsoleKey> {
  const expires_at = expiryOf(wanted.expires_at ?? null, now)
  const { clinic_id } = session.clinic
  const { rate_limit = null, networks = null, integration_id, integration_name } = wanted
  const wantedKey = { name, scopes, expires_at, rate_limit, networks, integration_id, integration_name }
  try {
    const made_by = session.administrator.id
    const { id, key } = await mintKey(
      consoleDatabase,
      {
        ...wantedKey,
        clinic_id,
        now,
        made_by,
        mint_request,
        before: (tx) => requireApproval(tx, { isNeeded: opensPatients(scopes), shown: { name, scopes } }),
      },
      (tx, id) => {
        requireLife(tx, { clinic_id, expires_at, pointer: '#/expires_at', now })
        beside(tx, id)
      },
    )
    // Nobody knows it yet, so it has no requests.
    return { ...(await findConsoleKey(consoleDatabase, session, id, new Map())), key }
  } catch (error) {
    if (!(error instanceof AlreadyMinted)) throw error
    const detail = 'This Idempotency-Key has minted a key, which was shown once. Revoke that key if it was lost.'
    throw new Problem('conflict', detail, {}, error)
  }
}

/** @throws Problem 422 for one that has passed. */
export function expiryOf(wanted: string | null, now: Date): Date | null {
  const expires_at = wanted === null ? null : new Date(wanted)
  if (expires_at !== null && !(expires_at > now)) {
    throw faultProblem('unprocessable', [{ pointer: '#/expires_at', code: 'past', detail: 'must be in the future' }])
  }
  return expires_at
}

export interface Revoking {
  id: string
  now: Date
  wait: ((ms: number) => Promise<unknown>) | undefined
  beside: InSameTransaction
}

/**
 * Resolves when the key is refused everywhere.
 *
 * @throws Problem 404
 */
export async function revokeConsoleKey(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { id, now, wait, beside }: Revoking,
): Promise<ConsoleKey> {
  const { clinic_id } = session.clinic
  const found = await consoleDatabase.read(session.clinic, keysWhere(clinic_id, sql`k.id = ${id}`))
  if (found.length === 0) throw notFound('key', id)
  await revokeKey(consoleDatabase, { clinic_id, id, now }, wait, beside)
  return findConsoleKey(consoleDatabase, session, id, await requestsOfDay(consoleDatabase, session.clinic, now))
}

/** @throws Problem 404 */
export async function findConsoleKey(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  id: string,
  counts: ReadonlyMap<string, number>,
): Promise<ConsoleKey> {
  const { clinic_id } = session.clinic
  const [row] = await consoleDatabase.read<KeyRow>(session.clinic, keysWhere(clinic_id, sql`k.id = ${id}`))
  if (row === undefined) throw notFound('key', id)
  return consoleKey(row, counts.get(id) ?? 0)
}

type KeyRow = ListedKey & {
  made_by: string | null
  made_by_name: string | null
  integration_id: string | null
  integration_name: string | null
}

function keysWhere(clinic_id: string, condition: Statement): Statement {
  return sql`select k.id, k.name, k.first_characters, k.last_characters, k.scopes, k.rate_limit, k.networks, k.created_at, k.last_used_at,
      k.expires_at, k.revoked_at, k.stopped_at, k.made_by, a.name as made_by_name, k.integration_id, i.name as integration_name
    from api_key k left join administrator a on a.clinic_id = ${clinic_id} and a.id = k.made_by
      left join integration i on i.clinic_id = ${clinic_id} and i.id = k.integration_id
    where k.clinic_id = ${clinic_id} and ${isNoConnection(sql`k.id`)} and ${condition} order by k.created_at desc, k.id limit ${CONSOLE_KEYS}`
}

function consoleKey(stored: KeyRow, requests_24h: number): ConsoleKey {
  const { made_by, made_by_name, integration_id, integration_name, ...row } = stored
  return {
    ...withInstants(row, 'created_at', 'last_used_at', 'expires_at', 'revoked_at', 'stopped_at'),
    integration: integration_id === null ? null : { id: integration_id, name: integration_name ?? '' },
    made_by: made_by === null ? null : { id: made_by, name: made_by_name ?? '' },
    requests_24h,
  }
}
