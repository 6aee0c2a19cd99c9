// Signs in the administrator whose e-mail the identity provider has verified. Nobody is made an administrator by that.
import { type Database, sql, utcSession } from '@clinic-data/database'
import { isClinicId } from '../clinics.ts'
import { foldEmail } from '../records/folded-email.ts'
import { spendChallenge } from './challenges.ts'
import type { KeptAttempt } from './openid-cookie.ts'
import type { OpenIdPerson } from './openid-provider.ts'
import { type Attempting, beginFor, type SignInOutcome, UNKNOWN } from './sign-in.ts'

export async function signInByOpenId(
  owner: Database,
  { email, isVerified }: OpenIdPerson,
  { attempt: { clinic_id, state }, endsAt }: KeptAttempt,
  attempting: Attempting,
): Promise<SignInOutcome> {
  if (!isClinicId(clinic_id)) return UNKNOWN
  return owner.write(utcSession(clinic_id), async (tx): Promise<SignInOutcome> => {
    const { rows } = await tx.query<{ id: string }>(sql`select id from administrator
      where clinic_id = ${clinic_id} and email = ${foldEmail(email)} and disabled_at is null for update`)
    const [found] = rows
    if (found === undefined) return UNKNOWN
    const known = { clinic_id, administrator_id: found.id }
    const isFirst = await spendChallenge(tx, clinic_id, { challenge: state, endsAt })
    if (!isVerified || !isFirst) return { state: 'refused', known }
    return { state: 'begun', token: await beginFor(tx, known, false, attempting), known }
  })
}
