// Signs in the administrator whom the identity provider names: by the account that was kept at the first sign-in, and that first time by
// its verified e-mail. Nobody is made an administrator by that (docs/decisions/0060).
import { GROUP_ENDED, ROLE_BY_GROUP } from '@clinic-data/console-contract/group-role-operations'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import type { Holder } from '@clinic-data/surface/still-valid'
import { isClinicId } from '../clinics.ts'
import { lockPeople } from '../people/people-lock.ts'
import type { PersonsEnd } from '../people/person-connections.ts'
import { spendChallenge } from '../sign-in/challenges.ts'
import type { KeptAttempt } from '../sign-in/openid-cookie.ts'
import { type OpenIdPerson, PROVIDER_SKEW_MS } from '../sign-in/openid-provider.ts'
import { type Attempting, beginFor, type KnownAdministrator, type SignInOutcome, UNKNOWN } from '../sign-in/sign-in.ts'
import { type Applied, applyGroups } from './apply-groups.ts'
import { endByGroup } from './end-by-group.ts'
import { sealGroupsToken } from './groups-token.ts'

/** Letters of other scripts look like these or fold to them, and the provider may have given such an address to somebody else. */
const PLAIN = /^[\x21-\x7e]+$/
/** The longest that OpenID Connect allows. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

export interface AttemptingByOpenId extends Attempting {
  signInKeys: SigningKeys
  /** Stores the audit row of what the person's groups have changed. */
  record: (tx: Transaction, known: KnownAdministrator, operation: string) => void
}

/** A former role’s apps may end. `untilPersonsEnd` comes after the commit. */
export type OpenIdOutcome = SignInOutcome & { end?: PersonsEnd | null }

export async function signInByOpenId(
  consoleDatabase: Database,
  person: OpenIdPerson,
  { attempt: { clinic_id, state }, endsAt }: KeptAttempt,
  attempting: AttemptingByOpenId,
): Promise<OpenIdOutcome> {
  if (!isClinicId(clinic_id) || !PLAIN.test(person.email) || !SUBJECT.test(person.subject)) return UNKNOWN
  return consoleDatabase.write(utcSession(clinic_id), async (tx): Promise<OpenIdOutcome> => {
    // Groups may give another role, in turn with whoever else changes people. Where none are told a role can only end, and its row is locked.
    if (person.groups !== null) await lockPeople(tx, clinic_id)
    const found = await findFor(tx, clinic_id, person)
    if (found === undefined) return UNKNOWN
    const known = { clinic_id, administrator_id: found.id }
    const isFirst = await spendChallenge(tx, clinic_id, { challenge: state, endsAt })
    if (!person.isVerified || !isFirst || !(found.is_bound || found.is_free)) return { state: 'refused', known }
    if (found.is_free)
      await tx.query(sql`update administrator set openid_issuer = ${person.issuer}, openid_subject = ${person.subject}
        where clinic_id = ${clinic_id} and id = ${found.id}`)
    const holder = { clinic_id, id: found.id }
    const { state: role, end } = await roleBy(tx, holder, { person, found, now: attempting.now })
    if (role === 'ended' && end !== null) attempting.record(tx, known, GROUP_ENDED)
    if (role === 'changed') attempting.record(tx, known, ROLE_BY_GROUP)
    if (role === 'ended') return { state: 'refused', known, end }
    const isByGroup = role === 'by_group' || role === 'changed'
    const groups_token =
      isByGroup && person.groups ? sealGroupsToken(attempting.signInKeys, holder, person.groups.token) : null
    const begun = { ...attempting, proven_at: provenAt(person, attempting.now), groups_token }
    return { state: 'begun', token: await beginFor(tx, known, 'provider', begun), known, end }
  })
}

interface Came {
  person: OpenIdPerson
  found: Found
  now: Date
}

async function roleBy(tx: Transaction, holder: Holder, { person, found, now }: Came): Promise<Applied> {
  if (person.groups !== null) return applyGroups(tx, holder, person.groups.names, now)
  if (!found.is_by_group) return { state: 'by_hand', end: null }
  // The operator has switched groups off since: nobody tells any more whether the group gives the role.
  return { state: 'ended', end: await endByGroup(tx, holder, now) }
}

/** It may have answered from its own session, without asking anybody. Then there is no proof, or an old one. */
function provenAt({ askedAt }: OpenIdPerson, now: Date): Date | null {
  if (askedAt === null || askedAt.getTime() > now.getTime() + PROVIDER_SKEW_MS) return null
  return askedAt < now ? askedAt : now
}

interface Found {
  id: string
  /** To this person's account. */
  is_bound: boolean
  /** To no account. */
  is_free: boolean
  /** A group gives the role, or gave it. */
  is_by_group: boolean
}

/** Whoever is bound to the account, otherwise whoever has the e-mail. */
async function findFor(
  tx: Transaction,
  clinic_id: string,
  { issuer, subject, email }: OpenIdPerson,
): Promise<Found | undefined> {
  const isBound = sql`coalesce(openid_issuer = ${issuer} and openid_subject = ${subject}, false)`
  const { rows } = await tx.query<Found>(sql`
    select id, ${isBound} as is_bound, openid_subject is null as is_free, role_group is not null as is_by_group
    from administrator
    where clinic_id = ${clinic_id} and disabled_at is null and (${isBound} or email = ${email.toLowerCase()})
    order by id for update`)
  return rows.find(({ is_bound }) => is_bound) ?? rows[0]
}
