// The sessions of administrators: beginning one, finding it by its cookie's token, ending it (docs/decisions/0052).
import type { Role } from '@clinic-data/console-contract/role-names'
import { meetsDemand, type SignInDemand } from '@clinic-data/console-contract/sign-in-demand'
import type { Clinic, Scope } from '@clinic-data/contract'
import {
  type ClinicDatabase,
  type Database,
  instant,
  type Statement,
  sql,
  type Transaction,
  utcSession,
} from '@clinic-data/database'
import { type Holder, noLongerValid, type StillValid, sharedLock, stillValid } from '@clinic-data/surface/still-valid'
import { newConsoleToken, placeOfToken, type TokenPlace } from './console-token.ts'
import { latestProof } from './proof.ts'
import { requireRole } from './required-role.ts'
import type { WayIn } from './sign-in-count.ts'
import { notAsDemanded } from './sign-in-demand.ts'

/** A browser that is left alone. */
export const IDLE_MS = 30 * 60 * 1000
/** A working day: however much it is used. */
export const LONGEST_MS = 12 * 60 * 60 * 1000
/** One administrator has at most so many. The one that was used longest ago ends first. */
const MOST_SESSIONS = 20
const LONGEST_USER_AGENT = 200

/** A session that lasts, found by its token. Everything that its requests may do follows from it. */
export interface ActiveSession {
  readonly clinic: Clinic & { readonly name: string }
  readonly administrator: SessionAdministrator
  /** The clinic lets its members give these to apps. Null: nothing was said. */
  readonly memberScopes: readonly Scope[] | null
  /** The clinic's new keys and connections last at most so long. Null: there is no limit. */
  readonly longestLifeDays: number | null
  readonly token_hash: string
  /** The pairing by which another clinic's sign-in has opened it. Null: it began here. */
  readonly pairingId: string | null
  /** The person is paired with accounts of other clinics. */
  readonly hasPairings: boolean
  /** It began by a sign-in link or a passkey. */
  readonly isByLinkOrPasskey: boolean
  /** When the person last proved who it is (`proof.ts`). Null: nobody can tell. */
  readonly provenAt: Date | null
  /** How it began. Null: a program of before began it, and did not say. */
  readonly way: WayIn | null
  /** The way that the clinic demands of everybody who signs in, or that a role by group demands. */
  readonly demand: SignInDemand
  /** When the provider last said that the person is in the group that gives the role. Null: somebody gave it by hand. */
  readonly group: SessionGroup | null
  readonly expiresAt: Date
}

export interface SessionGroup {
  /** Null: the session has nothing by which the provider can be asked. */
  readonly toldAt: Date | null
}

interface SessionAdministrator {
  id: string
  name: string
  email: string
  role: Role
  has_password: boolean
  has_passkey: boolean
  /** An account of the identity provider is kept. */
  is_bound: boolean
}

/** How a session began, also one of the version before, which tells passkeys alone. */
export const WAY_IN = sql`coalesce(way, case when passkey_id is not null then 'passkey' end)`

/** The provider alone tells whether a group gives the role still. Of `administrator` a and `clinic` c. */
export const DEMAND = sql`case when c.sign_in_demand = 'any' and a.role_group is not null then 'provider' else c.sign_in_demand end`

/** Whoever comes by one has just been let in by the operator or an owner, and sets a first password. */
const BY_LINK: readonly WayIn[] = ['link', 'invitation']

export interface NewSession {
  clinic_id: string
  administrator_id: string
  way: WayIn
  /** The one that it begins by. */
  passkey_id?: string | undefined
  user_agent: string
  /** When the person proved who it is, for a way that may have been earlier. Null: nobody can tell. Default: now. */
  proven_at?: Date | null | undefined
  /** By it the provider is asked again for the groups that it has just told. Default: none. */
  groups_token?: Buffer | null | undefined
  now: Date
}

/** Begins a session of an administrator whose row the transaction has locked. Always under a new token, which is returned. */
export async function beginSession(tx: Transaction, session: NewSession): Promise<string> {
  const token = newConsoleToken(session.clinic_id)
  await storeSession(tx, { ...session, token_hash: placeOfToken(token)?.token_hash ?? '' })
  return token
}

/** A session that another clinic's sign-in opens has no token of its own, and lasts no longer than the other one. */
export interface StoredSession extends Omit<NewSession, 'way'> {
  token_hash: string
  way: WayIn | null
  pairing_id?: string
  /** Default: now. */
  created_at?: Date
}

export async function storeSession(tx: Transaction, session: StoredSession): Promise<void> {
  const { clinic_id, administrator_id, token_hash, way, passkey_id = null, pairing_id = null, now } = session
  const { proven_at = now, created_at = now, groups_token = null } = session
  const user_agent = session.user_agent.toWellFormed().replaceAll('\0', '').slice(0, LONGEST_USER_AGENT)
  const { rows: visits } = await tx.query<{ before_at: string | null }>(sql`
    select greatest(a.last_seen_at, (select max(s.seen_at) from administrator_session s
      where s.clinic_id = ${clinic_id} and s.administrator_id = ${administrator_id})) as before_at
    from administrator a where a.clinic_id = ${clinic_id} and a.id = ${administrator_id}`)
  await tx.query(sql`insert into administrator_session
    (clinic_id, token_hash, administrator_id, created_at, seen_at, way, by_link, by_passkey, passkey_id, pairing_id, user_agent,
      before_at, proven_at, proven_by, groups_token, groups_at)
    values (${clinic_id}, ${token_hash}, ${administrator_id}, ${created_at}, ${now}, ${way}, ${way !== null && BY_LINK.includes(way)},
      ${way === 'passkey'}, ${passkey_id}, ${pairing_id}, ${user_agent}, ${visits[0]?.before_at ?? null}, ${proven_at},
      ${proven_at && way}, ${groups_token}, ${groups_token && now})`)
  await tx.query(sql`delete from administrator_session
    where clinic_id = ${clinic_id} and administrator_id = ${administrator_id} and token_hash not in (
      select token_hash from administrator_session
      where clinic_id = ${clinic_id} and administrator_id = ${administrator_id} and ${lasts(now)}
      order by token_hash = ${token_hash} desc, seen_at desc limit ${MOST_SESSIONS})`)
  await tx.query(sql`update administrator set last_seen_at = ${now}
    where clinic_id = ${clinic_id} and id = ${administrator_id}`)
}

export interface Looking {
  now: Date
  /** Somebody uses it: it is not left alone. */
  isUse: boolean
}

/** Finds the session of a token. Null when there is none, or it has ended. */
export async function findSession(
  consoleDatabase: Database,
  token: string,
  looking: Looking,
): Promise<ActiveSession | null> {
  const place = placeOfToken(token)
  return place === null ? null : findSessionAt(consoleDatabase, place, looking)
}

/** A proof that a fast clock wrote is forgotten: later it would let in whoever finds the browser. */
export async function findSessionAt(
  consoleDatabase: Database,
  { clinic_id, token_hash }: TokenPlace,
  { now, isUse }: Looking,
): Promise<ActiveSession | null> {
  return consoleDatabase.write(utcSession(clinic_id), async (tx) => {
    const { rows: seen } =
      await tx.query<SeenRow>(sql`update administrator_session set seen_at = greatest(seen_at, ${isUse ? now : null}),
        proven_at = case when proven_at <= ${latestProof(now)} then proven_at end
      where clinic_id = ${clinic_id} and token_hash = ${token_hash} and ${lasts(now)}
      returning clinic_id, administrator_id, by_link or by_passkey as is_by_link_or_passkey, ${WAY_IN} as way, proven_at,
        created_at, pairing_id, groups_at`)
    const [session] = seen
    if (session === undefined) return null
    const { rows } = await tx.query<FoundRow>(sql`
      select a.id, a.name, a.email, a.role, a.role_group is not null as is_by_group, a.password is not null as has_password, a.openid_subject is not null as is_bound,
        exists (select from passkey p where p.clinic_id = ${session.clinic_id} and p.administrator_id = a.id) as has_passkey,
        exists (select from pairing p where p.clinic_id = ${session.clinic_id} and p.administrator_id = a.id) as has_pairings,
        c.clinic_id, c.name as clinic_name, c.time_zone, c.country, c.currency, c.week_start, c.min_visit_minutes,
        c.member_scopes, c.longest_life_days, ${DEMAND} as demand
      from administrator a join clinic c on c.clinic_id = a.clinic_id
      where a.clinic_id = ${session.clinic_id} and a.id = ${session.administrator_id} and a.disabled_at is null`)
    const [found] = rows
    return found === undefined ? null : activeSession(session, found, token_hash)
  })
}

interface SeenRow {
  clinic_id: string
  administrator_id: string
  is_by_link_or_passkey: boolean
  way: WayIn | null
  proven_at: string | null
  created_at: string
  pairing_id: string | null
  groups_at: string | null
}

interface FoundRow extends SessionAdministrator {
  is_by_group: boolean
  has_pairings: boolean
  clinic_id: string
  clinic_name: string
  time_zone: string
  country: string
  currency: string
  week_start: 0 | 1
  min_visit_minutes: number
  member_scopes: Scope[] | null
  longest_life_days: number | null
  demand: SignInDemand
}

function activeSession(session: SeenRow, found: FoundRow, token_hash: string): ActiveSession {
  const { id, name, email, role, has_password, has_passkey, is_bound, is_by_group, has_pairings, ...rest } = found
  const { clinic_name, member_scopes, longest_life_days, demand, ...clinic } = rest
  return {
    clinic: { ...clinic, name: clinic_name },
    administrator: { id, name, email, role, has_password, has_passkey, is_bound },
    memberScopes: member_scopes,
    longestLifeDays: longest_life_days,
    token_hash,
    pairingId: session.pairing_id,
    hasPairings: has_pairings,
    isByLinkOrPasskey: session.is_by_link_or_passkey,
    provenAt: dateOf(session.proven_at),
    way: session.way,
    demand,
    group: is_by_group ? { toldAt: dateOf(session.groups_at) } : null,
    expiresAt: new Date(new Date(instant(session.created_at) ?? '').getTime() + LONGEST_MS),
  }
}

function dateOf(stored: string | null): Date | null {
  return stored === null ? null : new Date(instant(stored) ?? '')
}

/** In a transaction of the console's login. @param allowed the roles that may do it. */
export function sessionStillValid(session: ActiveSession, allowed: readonly Role[]): StillValid {
  return (tx) => stillValid<LastingRow>(tx, administratorOf(session), lasting(session), isAllowed(session, allowed))
}

interface LastingRow {
  role: Role
  demand: SignInDemand
}

/** Since the request began the role may have been taken away, and the clinic may demand another way of signing in. */
function isAllowed(session: ActiveSession, allowed: readonly Role[]): (row: LastingRow) => void {
  return ({ role, demand }) => {
    requireRole(role, allowed)
    if (!isHeld(session) && !meetsDemand(demand, session.way)) throw notAsDemanded(demand)
  }
}

/** It opens nothing of the clinic, but for a way of signing in as the clinic demands. */
export function isHeld({ demand, way }: Pick<ActiveSession, 'demand' | 'way'>): boolean {
  return !meetsDemand(demand, way)
}

/** In a transaction that may not read sessions: the console's login reads this one, under the transaction's lock. */
export function sessionStillValidBeside(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  allowed: readonly Role[],
): StillValid {
  return async (tx) => {
    await tx.query(sharedLock(administratorOf(session)))
    const [row] = await consoleDatabase.read<LastingRow>(session.clinic, lasting(session))
    if (row === undefined) throw noLongerValid()
    isAllowed(session, allowed)(row)
  }
}

export function administratorOf({ clinic: { clinic_id }, administrator: { id } }: ActiveSession): Holder {
  return { clinic_id, id }
}

function lasting({ clinic: { clinic_id }, administrator, token_hash }: ActiveSession): Statement {
  return sql`select a.role, ${DEMAND} as demand from administrator_session s
    join administrator a on a.clinic_id = ${clinic_id} and a.id = s.administrator_id and a.disabled_at is null
    join clinic c on c.clinic_id = ${clinic_id}
    where s.clinic_id = ${clinic_id} and s.token_hash = ${token_hash} and s.administrator_id = ${administrator.id}`
}

/** The condition of a session that has not ended. */
export function lasts(now: Date) {
  const [idleSince, begunSince] = [new Date(now.getTime() - IDLE_MS), new Date(now.getTime() - LONGEST_MS)]
  return sql`seen_at > ${idleSince} and created_at > ${begunSince}`
}

/** Ends a session, or all of its administrator. What stands beside it belongs to the same transaction. */
export async function endSessions(
  consoleDatabase: ClinicDatabase,
  { clinic: { clinic_id }, administrator: { id }, token_hash }: ActiveSession,
  everywhere: boolean,
  beside: (tx: Transaction) => void,
): Promise<void> {
  await consoleDatabase.write(utcSession(clinic_id), async (tx) => {
    // All who end several sessions of an administrator take turns.
    await tx.query(sql`select id from administrator where clinic_id = ${clinic_id} and id = ${id} for update`)
    await tx.query(sql`delete from administrator_session where clinic_id = ${clinic_id} and administrator_id = ${id}
      and (${everywhere}::boolean or token_hash = ${token_hash})`)
    beside(tx)
  })
}

/** Ends the session of a cookie that a new sign-in replaces. */
export async function endReplaced(tx: Transaction, clinic_id: string, token: string | null): Promise<void> {
  const place = placeOfToken(token ?? '')
  if (place === null || place.clinic_id !== clinic_id) return
  await tx.query(
    sql`delete from administrator_session where clinic_id = ${clinic_id} and token_hash = ${place.token_hash}`,
  )
}
