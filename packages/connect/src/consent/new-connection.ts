// Makes a connection: its row among the keys, its own, and the code or device that gets its tokens, in the transaction of the person's yes.
import { randomBytes } from 'node:crypto'
import { opensPatients } from '@clinic-data/console-contract/approvals'
import type { ConnectionPlace } from '@clinic-data/console-contract/connect-operations'
import { allScopes, Problem, type Scope } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import type { Audience } from '@clinic-data/contract/grant'
import { hashKey } from '@clinic-data/contract/key'
import { newId } from '@clinic-data/contract/new-id'
import { type ClinicDatabase, type ClinicSession, sql, type Transaction, violates } from '@clinic-data/database'
import type { RequireApproval, Shown } from '@clinic-data/surface/require-approval'
import { type IntegrationChoice, integrationFor } from '@clinic-data/webhooks/integrations/integration'
import type { App } from '../apps/app.ts'
import { requireLife } from '../longest-life.ts'
import { requireGiver } from '../require-giver.ts'
import { later } from '../tokens/lifetimes.ts'
import { requireAllowed } from './app-rule.ts'
import { integrationOfApp } from './integration-of-app.ts'

/** A signed-in person, in the clinic of the session. */
export interface Consenting {
  /** Its writes check the session again. */
  readonly database: ClinicDatabase
  readonly clinic: ClinicSession
  readonly administrator_id: string
  readonly now: Date
  readonly requireApproval: RequireApproval
  /** Adds the audit row. */
  readonly record: (tx: Transaction, ids: readonly string[]) => void
}

/** The part of the request that the person allows. */
export interface Allowed extends IntegrationChoice {
  readonly scopes: readonly Scope[]
  readonly days: number | null
  /** The `Idempotency-Key`. */
  readonly mint_request: string
}

export interface NewConnection {
  readonly app: App
  readonly audience: Audience | null
  readonly place: ConnectionPlace
  /** The scopes that the app asks for. */
  readonly requested: readonly Scope[]
  readonly allowed: Allowed
  /** Runs in the same transaction: stores what gets the tokens. */
  readonly store: (tx: Transaction, id: string) => void | Promise<void>
}

/** Whoever approves it sees the app, and not the request, which has ended when the app asks anew. */
function shownOf({ id: app_id, name, host, isVerified: is_verified }: App, audience: Audience | null): Shown {
  return { name, app_id, host, is_verified, audience }
}

function approved({ days, integration_id = null, integration_name }: Allowed, scopes: readonly Scope[]) {
  return { scopes, days, integration_id, ...(integration_name !== undefined && { integration_name }) }
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * @throws Problem 422 for scopes that were not asked for or that the person may not give, 409 for a request that was answered, 403 for an app
 * that the clinic does not allow and where another person has to approve it, 401 when the person was disabled meanwhile.
 */
export async function connect(
  { database, clinic, administrator_id, now, requireApproval, record }: Consenting,
  { app, audience, place, requested, allowed, store }: NewConnection,
): Promise<void> {
  const { clinic_id } = clinic
  const wider = allowed.scopes.some((scope) => !requested.includes(scope))
  if (wider) {
    const detail = 'must be among those that the app asks for'
    throw faultProblem('unprocessable', [{ pointer: '#/scopes', code: 'not_asked', detail }])
  }
  const scopes = allScopes.filter((scope) => allowed.scopes.includes(scope))
  const expires_at = allowed.days === null ? null : later(now, allowed.days * DAY_MS)
  const id = newId('con', now)
  try {
    await database.write(clinic, async (tx) => {
      await requireGiver(tx, { clinic_id, id: administrator_id }, scopes)
      requireAllowed(tx, clinic, app)
      requireLife(tx, { clinic_id, expires_at, pointer: '#/days', now })
      await requireApproval(tx, {
        isNeeded: opensPatients(scopes),
        shown: shownOf(app, audience),
        body: approved(allowed, scopes),
      })
      const usual = await integrationOfApp(tx, clinic, app)
      const { mint_request, integration_name } = allowed
      const chosen = allowed.integration_id ?? (integration_name === undefined ? usual : null)
      const member = { clinic_id, id, name: app.name, integration_id: chosen, integration_name, mint_request, now }
      const integration_id = await integrationFor(tx, member)
      // The hash of bytes that nobody has: no key opens it, its tokens do.
      await tx.query(sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at,
          expires_at, made_by, mint_request, integration_id)
        values (${clinic_id}, ${id}, ${hashKey(randomBytes(32).toString('hex'))}, '', '', ${app.name}, ${scopes}, ${now},
          ${expires_at}, ${administrator_id}, ${allowed.mint_request}, ${integration_id})`)
      await tx.query(sql`insert into connection (clinic_id, id, app_id, app_name, app_host, is_verified, administrator_id, audience,
          place)
        values (${clinic_id}, ${id}, ${app.id}, ${app.name}, ${app.host}, ${app.isVerified}, ${administrator_id}, ${audience},
          ${place})`)
      await store(tx, id)
      record(tx, [id])
    })
  } catch (error) {
    // Ids and hashes are random: only a repeated request meets another one.
    if (!violates(error, 'unique')) throw error
    throw new Problem(
      'conflict',
      'This Idempotency-Key has connected the app already. Begin again in the app.',
      {},
      error,
    )
  }
}
