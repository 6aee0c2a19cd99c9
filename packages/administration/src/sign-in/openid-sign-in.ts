// Signs in the administrator whom the identity provider names: by the account that was kept at the first sign-in, and that first time by
// its verified e-mail. Nobody is made an administrator by that (docs/decisions/0060).
import { type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import { isClinicId } from '../clinics.ts'
import { spendChallenge } from './challenges.ts'
import type { KeptAttempt } from './openid-cookie.ts'
import type { OpenIdPerson } from './openid-provider.ts'
import { type Attempting, beginFor, type SignInOutcome, UNKNOWN } from './sign-in.ts'

/** Letters of other scripts look like these or fold to them, and the provider may have given such an address to somebody else. */
const PLAIN = /^[\x21-\x7e]+$/
/** The longest that OpenID Connect allows. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

/** The provider's clock and ours differ by less. */
export const PROVIDER_SKEW_MS = 30_000

export async function signInByOpenId(
  consoleDatabase: Database,
  person: OpenIdPerson,
  { attempt: { clinic_id, state }, endsAt }: KeptAttempt,
  attempting: Attempting,
): Promise<SignInOutcome> {
  if (!isClinicId(clinic_id) || !PLAIN.test(person.email) || !SUBJECT.test(person.subject)) return UNKNOWN
  return consoleDatabase.write(utcSession(clinic_id), async (tx): Promise<SignInOutcome> => {
    const found = await findFor(tx, clinic_id, person)
    if (found === undefined) return UNKNOWN
    const known = { clinic_id, administrator_id: found.id }
    const isFirst = await spendChallenge(tx, clinic_id, { challenge: state, endsAt })
    if (!person.isVerified || !isFirst || !(found.is_bound || found.is_free)) return { state: 'refused', known }
    if (found.is_free)
      await tx.query(sql`update administrator set openid_issuer = ${person.issuer}, openid_subject = ${person.subject}
        where clinic_id = ${clinic_id} and id = ${found.id}`)
    const proven_at = provenAt(person, attempting.now)
    return { state: 'begun', token: await beginFor(tx, known, 'provider', { ...attempting, proven_at }), known }
  })
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
}

/** Whoever is bound to the account, otherwise whoever has the e-mail. */
async function findFor(
  tx: Transaction,
  clinic_id: string,
  { issuer, subject, email }: OpenIdPerson,
): Promise<Found | undefined> {
  const isBound = sql`coalesce(openid_issuer = ${issuer} and openid_subject = ${subject}, false)`
  const { rows } = await tx.query<Found>(sql`
    select id, ${isBound} as is_bound, openid_subject is null as is_free from administrator
    where clinic_id = ${clinic_id} and disabled_at is null and (${isBound} or email = ${email.toLowerCase()})
    order by id for update`)
  return rows.find(({ is_bound }) => is_bound) ?? rows[0]
}
