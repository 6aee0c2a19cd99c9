// Asks the provider again and again, while a session is used, whether a group still gives its person the role: rights end within a minute after the
// provider has taken the group away (docs/decisions/0115). Whoever cannot be asked about has none.
import { GROUP_ENDED, ROLE_BY_GROUP } from '@clinic-data/console-contract/group-role-operations'
import { Problem } from '@clinic-data/contract'
import { type Database, type Statement, sql, type Transaction, utcSession } from '@clinic-data/database'
import { noLongerValid } from '@clinic-data/surface/still-valid'
import { lockPeople } from '../people/people-lock.ts'
import { untilPersonsEnd } from '../people/person-connections.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import type { GroupsToken, OpenIdGroups } from '../sign-in/openid-provider.ts'
import { type Applied, applyGroups } from './apply-groups.ts'
import { openGroupsToken, sealGroupsToken } from './groups-token.ts'

/** An answer of the provider is used for so long without asking again. */
const ASKED_AGAIN_MS = 30_000
/** And for so long while it cannot be asked, or another request asks. */
const TRUSTED_MS = 60_000
/** One request asks at a time: a token may serve once. It waits for two answers of the provider, of 10 s each at most. */
const ONE_ASKS_MS = 25_000
const RETRY_AFTER_SECONDS = 2

const CANNOT_BE_ASKED =
  'The identity provider cannot be asked whether a group still gives you your role. Try again in a moment.'

export type GroupParts = Pick<ConsoleParts, 'consoleDatabase' | 'now' | 'log' | 'openId' | 'signInKeys' | 'wait'>

/** Stores the audit row of what the provider's answer has changed, in the name of the person. */
export type RecordGroup = (tx: Transaction, session: ActiveSession, operation: string) => void

/** Requests of one session that come at once wait for one answer. */
const underWay = new Map<string, Promise<State>>()

/**
 * @returns whether the person's role has changed, so that the session has to be found anew.
 * @throws Problem 401 when no group gives the role any more, 503 when nobody can tell.
 */
export async function stillInGroup(parts: GroupParts, session: ActiveSession, record: RecordGroup): Promise<boolean> {
  const { group, clinic, token_hash } = session
  if (group === null) return false
  if (group.toldAt === null) throw noLongerValid()
  const age = parts.now().getTime() - group.toldAt.getTime()
  if (age < ASKED_AGAIN_MS) return false
  const name = `${clinic.clinic_id} ${token_hash}`
  const answer = underWay.get(name) ?? ask(parts, session, record).finally(() => underWay.delete(name))
  underWay.set(name, answer)
  try {
    const state = await answer
    if (state === 'ended') throw noLongerValid()
    return state !== 'by_group'
  } catch (error) {
    if (error instanceof Unanswered && age < TRUSTED_MS) return false
    throw error instanceof Unanswered
      ? new Problem('service-unavailable', CANNOT_BE_ASKED, { retry_after: RETRY_AFTER_SECONDS }, error)
      : error
  }
}

/** `elsewhere`: the provider has answered another request since the session was found. */
type State = Applied['state'] | 'elsewhere'

/** It is not known which groups the person is in. */
class Unanswered extends Error {}

/** @throws Unanswered */
async function ask(parts: GroupParts, session: ActiveSession, record: RecordGroup): Promise<State> {
  const { consoleDatabase, log, wait } = parts
  const turn = await takeTurn(parts, session)
  if (turn === null) return 'elsewhere'
  const groups = await groupsOf(parts, turn).catch((error: unknown) => {
    log.warn({ reason: (error as Error).name }, 'the identity provider did not tell the groups of a person')
    throw new Unanswered('the provider did not answer', { cause: error })
  })
  const { state, end } = await consoleDatabase.write(utcSession(session.clinic.clinic_id), (tx) =>
    storeAnswer(tx, parts, session, { groups, at: turn.at, record }),
  )
  if (end !== null) await untilPersonsEnd(consoleDatabase, end, wait)
  return state
}

async function groupsOf({ openId }: GroupParts, { subject, token }: Turn): Promise<OpenIdGroups | null> {
  // The operator has unbound the account, or switched off groups since, or the key of the token.
  if (openId === null || !openId.tellsGroups || token === null || subject === null) return null
  return openId.groupsOf(subject, token)
}

interface Answer {
  /** Null: there is nothing any more by which the provider could be asked. */
  groups: OpenIdGroups | null
  /** When it was asked. */
  at: Date
  record: RecordGroup
}

async function storeAnswer(
  tx: Transaction,
  { signInKeys }: GroupParts,
  session: ActiveSession,
  { groups, at, record }: Answer,
): Promise<Applied> {
  const { clinic, administrator, token_hash } = session
  const holder = { clinic_id: clinic.clinic_id, id: administrator.id }
  const place = sql`clinic_id = ${holder.clinic_id} and token_hash = ${token_hash}`
  await lockPeople(tx, holder.clinic_id)
  if (groups === null) {
    // The person may still be in the group: the next sign-in tells. This session cannot.
    await tx.query(sql`delete from administrator_session where ${place}`)
    return { state: 'ended', end: null }
  }
  const applied = await applyGroups(tx, holder, groups.names, at)
  await tx.query(sql`update administrator_session set groups_at = ${at}, groups_asked_at = null,
    groups_token = ${sealGroupsToken(signInKeys, holder, groups.token)} where ${place}`)
  if (applied.state === 'ended' && applied.end !== null) record(tx, session, GROUP_ENDED)
  if (applied.state === 'changed') record(tx, session, ROLE_BY_GROUP)
  return applied
}

interface Turn {
  at: Date
  /** Null: the operator has unbound the account. */
  subject: string | null
  /** Null: it cannot be opened. */
  token: GroupsToken | null
}

/** @returns null when there is nothing to ask any more. @throws Unanswered while another request asks. */
async function takeTurn(
  { consoleDatabase, signInKeys, now }: GroupParts,
  session: ActiveSession,
): Promise<Turn | null> {
  const { clinic, administrator, token_hash, group } = session
  const { clinic_id } = clinic
  const at = now()
  const place = sql`clinic_id = ${clinic_id} and token_hash = ${token_hash} and groups_at = ${group?.toldAt ?? null}`
  const taken = await turnAt(consoleDatabase, { clinic_id, place, at })
  if (taken === null) {
    const waiting = await consoleDatabase.read(clinic, sql`select token_hash from administrator_session where ${place}`)
    if (waiting.length === 0) return null
    throw new Unanswered('another request asks')
  }
  const [person] = await consoleDatabase.read<{ subject: string | null }>(
    clinic,
    sql`select openid_subject as subject from administrator where clinic_id = ${clinic_id} and id = ${administrator.id}`,
  )
  const token = openGroupsToken(signInKeys, { clinic_id, id: administrator.id }, taken)
  return { at, subject: person?.subject ?? null, token }
}

interface Asking {
  clinic_id: string
  /** The session, as it was found. */
  place: Statement
  at: Date
}

/** The sealed token. Null: it is not this request's turn. */
function turnAt(database: Database, { clinic_id, place, at }: Asking): Promise<Uint8Array | null> {
  const before = new Date(at.getTime() - ONE_ASKS_MS)
  return database.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query<{ token: Uint8Array }>(sql`update administrator_session set groups_asked_at = ${at}
      where ${place} and (groups_asked_at is null or groups_asked_at < ${before}) returning groups_token as token`)
    return rows[0]?.token ?? null
  })
}
