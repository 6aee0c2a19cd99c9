// Confirms by the identity provider who sits before a session: the browser has left for it and comes back. The provider was asked to let the
// person sign in anew, but whoever holds the browser can change that on the way, and the provider then answers from its own session. So the time
// at which it last asked decides, unless it is a provider that never tells one (docs/decisions/0107).
import { type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import { noteProof } from '../sessions/proof.ts'
import { lasts } from '../sessions/sessions.ts'
import { spendChallenge } from '../sign-in/challenges.ts'
import type { KeptAttempt } from '../sign-in/openid-cookie.ts'
import { type ConfirmedSession, type OpenIdPerson, PROVIDER_SKEW_MS } from '../sign-in/openid-provider.ts'

interface Confirming {
  now: Date
  /** Runs in the transaction of the proof, last. */
  beside: (tx: Transaction) => void
}

/** @returns whether the person of the session was confirmed: not another one, not long ago, and not by an answer that came before. */
export async function confirmByProvider(
  consoleDatabase: Database,
  person: OpenIdPerson,
  { attempt: { clinic_id, state }, endsAt }: KeptAttempt,
  confirms: ConfirmedSession,
  { now, beside }: Confirming,
): Promise<boolean> {
  const { administrator_id, token_hash } = confirms
  return consoleDatabase.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query(sql`select id from administrator
      where clinic_id = ${clinic_id} and id = ${administrator_id} and disabled_at is null
        and openid_issuer = ${person.issuer} and openid_subject = ${person.subject} for update`)
    const isFirst = await spendChallenge(tx, clinic_id, { challenge: state, endsAt })
    const { rows: lasting } = await tx.query(sql`select token_hash from administrator_session
      where clinic_id = ${clinic_id} and token_hash = ${token_hash} and administrator_id = ${administrator_id} and ${lasts(now)}`)
    if (rows.length === 0 || lasting.length === 0 || !isFirst || !wasAsked(person, confirms, now)) return false
    await noteProof(tx, { clinic_id, administrator_id, token_hash, by: 'provider', now })
    beside(tx)
    return true
  })
}

/** Whether the provider has asked the person since we asked it to. */
function wasAsked({ askedAt, tellsWhenAsked }: OpenIdPerson, { asked_at }: ConfirmedSession, now: Date): boolean {
  if (askedAt === null) return !tellsWhenAsked
  // It tells whole seconds, by a clock of its own.
  return askedAt.getTime() >= asked_at - PROVIDER_SKEW_MS && askedAt.getTime() <= now.getTime() + PROVIDER_SKEW_MS
}
