// Signs an administrator in by a passkey. Nobody types a name: the passkey tells its clinic and its own id.
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import { endOfChallenge, spendChallenge } from './challenges.ts'
import type { OwnAddress } from './own-address.ts'
import { challengeOf, checkSigned, type SignedAnswer, type StoredPasskey } from './passkey-answer.ts'
import { type Attempting, beginFor, type KnownAdministrator, type SignInOutcome, UNKNOWN } from './sign-in.ts'
import { clinicOfHandle, userHandle } from './user-handle.ts'

export interface PasskeyAttempting extends Attempting {
  keys: SigningKeys
  /** The cookie that the challenge is bound to. */
  boundTo: string | null
  address: OwnAddress | null
}

export async function signInByPasskey(
  consoleDatabase: Database,
  answer: SignedAnswer,
  attempt: PasskeyAttempting,
): Promise<SignInOutcome> {
  const { keys, boundTo, address, now } = attempt
  const clinic_id = clinicOfHandle(answer.user_handle)
  const challenge = challengeOf(answer) ?? ''
  const endsAt = boundTo && endOfChallenge(keys, { purpose: 'sign-in', boundTo }, challenge, now)
  if (clinic_id === null || !endsAt || address === null) return UNKNOWN
  return consoleDatabase.write(utcSession(clinic_id), async (tx): Promise<SignInOutcome> => {
    const known = await ownerOf(tx, clinic_id, answer)
    if (known === null) return UNKNOWN
    const passkey_id = await usedPasskey(tx, known, answer, { challenge, endsAt, address, now })
    if (passkey_id === null) return { state: 'refused', known }
    return { state: 'begun', token: await beginFor(tx, known, 'passkey', { ...attempt, passkey_id }), known }
  })
}

interface Answered {
  challenge: string
  endsAt: Date
  address: OwnAddress
  now: Date
}

/** The id of the passkey, when its owner's answer is right. Null otherwise, or when it was removed. */
export async function usedPasskey(
  tx: Transaction,
  owner: KnownAdministrator,
  answer: SignedAnswer,
  { challenge, endsAt, address, now }: Answered,
): Promise<string | null> {
  const { clinic_id } = owner
  const passkey = await lockedPasskey(tx, owner, answer)
  // Spent also when the rest is refused: a challenge is answered once.
  const isFirst = await spendChallenge(tx, clinic_id, { challenge, endsAt })
  const counter = passkey && isFirst && (await checkSigned(answer, passkey, { challenge, address }))
  if (!passkey || typeof counter !== 'number') return null
  await tx.query(sql`update passkey set counter = ${counter}, last_used_at = ${now}
    where clinic_id = ${clinic_id} and credential_id = ${answer.credential_id}`)
  return passkey.id
}

/** Whose passkey answered. Null for an unknown one. */
export async function ownerOf(
  tx: Transaction,
  clinic_id: string,
  { credential_id, user_handle }: SignedAnswer,
): Promise<KnownAdministrator | null> {
  const { rows } = await tx.query<{ administrator_id: string }>(sql`select administrator_id from passkey
    where clinic_id = ${clinic_id} and credential_id = ${credential_id}`)
  const [found] = rows
  const known = found === undefined ? null : { clinic_id, ...found }
  return known !== null && userHandle(known) === user_handle ? known : null
}

/** The administrator first, in the order of those who disable one or remove a passkey. Null when either was done. */
async function lockedPasskey(
  tx: Transaction,
  { clinic_id, administrator_id }: KnownAdministrator,
  { credential_id }: SignedAnswer,
): Promise<(StoredPasskey & { id: string }) | null> {
  const { rows: allowed } = await tx.query(sql`select id from administrator
    where clinic_id = ${clinic_id} and id = ${administrator_id} and disabled_at is null for update`)
  const { rows } = await tx.query<
    StoredPasskey & { id: string }
  >(sql`select id, credential_id, public_key, counter from passkey
    where clinic_id = ${clinic_id} and credential_id = ${credential_id} for update`)
  return allowed.length === 0 ? null : (rows[0] ?? null)
}
