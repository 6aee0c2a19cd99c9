// Opens a clinic that is paired with the one of a session: begins a session there which is found by the token of the first one, and ends with it.
import type { Pairing as ListedPairing } from '@clinic-data/console-contract/pairing-operations'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, type Database, sql, utcSession } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { pairedHash } from '../sessions/paired-session.ts'
import { type ActiveSession, LONGEST_MS, lasts, storeSession } from '../sessions/sessions.ts'
import type { WayIn } from '../sessions/sign-in-count.ts'
import type { OpenIdProvider } from '../sign-in/openid-provider.ts'
import type { RecordFor } from './pair.ts'
import {
  accountOf,
  findPaired,
  lockAccount,
  type PairedAccount,
  pairedAccounts,
  providerAccountOf,
} from './pairings.ts'

interface Parts {
  readonly openId: Pick<OpenIdProvider, 'isRequired'> | null
}

const SIGN_IN =
  'Sign in to that clinic itself: it demands a way of signing in that this session did not begin by, a group gives you the role there, or this session began by a link.'
const FROM_THE_FIRST = 'Another clinic’s sign-in has opened this one. Open the next one from that clinic.'

/** By the name of the clinic. */
export async function listPairings(
  parts: Parts,
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
): Promise<ListedPairing[]> {
  const wayInto = await waysFrom(parts, consoleDatabase, session)
  return (await pairedAccounts(consoleDatabase, accountOf(session))).map((one) => ({
    id: one.pairing.id,
    clinic_id: one.clinic_id,
    name: one.clinic_name,
    role: one.role,
    created_at: one.pairing.created_at,
    is_open: session.pairingId === null && wayInto(one) !== null,
  }))
}

export interface Opening {
  account: PairedAccount
  /** How the session begins, as the other clinic's demand sees it. Null: in no way that it may demand. */
  way: WayIn | null
}

/** @throws Problem 404, 409 when its person has to sign in there. */
export async function requireOpening(
  parts: Parts,
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  id: string,
): Promise<Opening> {
  if (session.pairingId !== null) throw new Problem('conflict', FROM_THE_FIRST)
  const account = await findPaired(consoleDatabase, accountOf(session), id)
  if (account === null) throw notFound('pairing', id)
  const opened = (await waysFrom(parts, consoleDatabase, session))(account)
  if (opened === null) throw new Problem('conflict', SIGN_IN)
  return { account, ...opened }
}

/**
 * Tells how a session opens another clinic. A link opens none: the operator or an owner of this clinic let its person in. Nor does any way open a
 * clinic that demands passkeys, because a passkey is of one clinic. An account of the provider is of all: where both people have the same one, it has
 * proven them here.
 */
async function waysFrom(
  { openId }: Parts,
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
): Promise<(account: PairedAccount) => { way: WayIn | null } | null> {
  const { way } = session
  const own = way === 'provider' ? await providerAccountOf(consoleDatabase, accountOf(session)) : null
  return ({ demand, provider_account, is_by_group }) => {
    // Only a session that began there can ask the provider again.
    if (is_by_group) return null
    if (own !== null && own === provider_account) return demand === 'passkey' ? null : { way: 'provider' }
    const isDemanded = demand !== 'any' || openId?.isRequired === true
    const isProven = way === 'password' || way === 'passkey' || way === 'provider'
    return isProven && !isDemanded ? { way: null } : null
  }
}

export interface Beginning extends Opening {
  /** The first session has it. */
  token: string
  user_agent: string
  now: Date
  record: RecordFor
}

/** @throws Problem 404 for a pairing that has ended meanwhile. */
export async function openPaired(
  database: Database,
  { expiresAt }: ActiveSession,
  { account, way, token, user_agent, now, record }: Beginning,
): Promise<void> {
  const { clinic_id, administrator_id, pairing } = account
  const token_hash = pairedHash(token, pairing.id)
  await database.write(utcSession(clinic_id), async (tx) => {
    const isThere = await lockAccount(tx, account)
    const { rows } = await tx.query(sql`select id from pairing where clinic_id = ${clinic_id} and id = ${pairing.id}`)
    if (!isThere || rows.length === 0) throw notFound('pairing', pairing.id)
    const place = sql`clinic_id = ${clinic_id} and token_hash = ${token_hash}`
    const { rows: open } = await tx.query(
      sql`select token_hash from administrator_session where ${place} and ${lasts(now)}`,
    )
    if (open.length > 0) return
    await tx.query(sql`delete from administrator_session where ${place}`)
    await storeSession(tx, {
      clinic_id,
      administrator_id,
      token_hash,
      way,
      user_agent,
      now,
      pairing_id: pairing.id,
      // Whoever found the browser open has proven nothing in this clinic.
      proven_at: null,
      created_at: new Date(expiresAt.getTime() - LONGEST_MS),
    })
    record(tx, account, pairing.id)
  })
}
