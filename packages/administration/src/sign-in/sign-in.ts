// Holds what every way to sign in takes and gives, and the sign-in by a link. Nobody guesses a link, so none is counted or locked out.
import { type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import { placeOfToken } from '../sessions/console-token.ts'
import { beginSession, endReplaced, type NewSession } from '../sessions/sessions.ts'
import type { WayIn } from '../sessions/sign-in-count.ts'

/** An attempt: who it was about, if that is known, and how it ended. */
export type SignInOutcome = { known: KnownAdministrator | null } & (
  | { state: 'begun'; token: string }
  | { state: 'refused' }
  | { state: 'locked'; seconds: number }
)

export interface Attempting {
  /** The token of the cookie that came along. Its session ends: a new one never takes over a token. */
  replaced: string | null
  user_agent: string
  now: Date
  /** Runs in the transaction that begins the session, last. */
  beside: (tx: Transaction, known: KnownAdministrator) => void
}

export interface KnownAdministrator {
  clinic_id: string
  administrator_id: string
}

export const UNKNOWN = { state: 'refused', known: null } as const

export async function signInByLink(
  consoleDatabase: Database,
  token: string,
  attempt: Attempting,
): Promise<SignInOutcome> {
  const place = placeOfToken(token)
  if (place === null) return UNKNOWN
  const { clinic_id, token_hash } = place
  const { now } = attempt
  return consoleDatabase.write(utcSession(clinic_id), async (tx): Promise<SignInOutcome> => {
    const link = sql`clinic_id = ${clinic_id} and token_hash = ${token_hash}`
    const { rows } = await tx.query<{ administrator_id: string }>(sql`
      select administrator_id from sign_in_link where ${link}`)
    const [found] = rows
    if (found === undefined) return UNKNOWN
    const known = { clinic_id, ...found }
    // Before the link, in the order of those who make links and disable.
    const { rows: allowed } = await tx.query(sql`select id from administrator
      where clinic_id = ${clinic_id} and id = ${found.administrator_id} and disabled_at is null for update`)
    const { rows: used } = await tx.query(sql`update sign_in_link set used_at = ${now}
      where ${link} and used_at is null and expires_at > ${now} returning token_hash`)
    if (allowed.length === 0 || used.length === 0) return { state: 'refused', known }
    return { state: 'begun', token: await beginFor(tx, known, 'link', attempt), known }
  })
}

/** Begins the session of an administrator whose row the transaction has locked. */
export async function beginFor(
  tx: Transaction,
  known: KnownAdministrator,
  way: WayIn,
  {
    replaced,
    user_agent,
    now,
    beside,
    passkey_id,
    proven_at,
    groups_token,
  }: Attempting & Pick<NewSession, 'passkey_id' | 'proven_at' | 'groups_token'>,
): Promise<string> {
  await endReplaced(tx, known.clinic_id, replaced)
  const token = await beginSession(tx, { ...known, way, passkey_id, proven_at, groups_token, user_agent, now })
  beside(tx, known)
  return token
}
