// Confirms by the password or a passkey who sits before a session. A wrong password counts as a wrong sign-in does, for this person alone.
import { Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type ClinicDatabase, sql, type Transaction } from '@clinic-data/database'
import { noteProof } from '../sessions/proof.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { type ChallengeUse, endOfChallenge } from '../sign-in/challenges.ts'
import type { OwnAddress } from '../sign-in/own-address.ts'
import { challengeOf, type SignedAnswer } from '../sign-in/passkey-answer.ts'
import { ownerOf, usedPasskey } from '../sign-in/passkey-sign-in.ts'
import { isPassword, type PasswordCost } from '../sign-in/password.ts'
import { countAttempt, forgetAttempts, type Guesser } from '../sign-in/sign-in-attempts.ts'
import { tooMany } from '../sign-in/too-many.ts'

interface Confirming {
  now: Date
  /** Runs in the transaction of the proof, last. */
  beside: (tx: Transaction) => void
}

/** @throws Problem 422 for a wrong password, 429 after too many. */
export async function confirmByPassword(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  password: string,
  { now, beside, cost }: Confirming & { cost: PasswordCost | undefined },
): Promise<void> {
  const { clinic, administrator, token_hash } = session
  const { clinic_id } = clinic
  const who: Guesser = ['administrator', administrator.id]
  const seconds = await countAttempt(consoleDatabase, { clinic_id, who, now })
  if (seconds !== null) throw tooMany(seconds)
  const [row] = await consoleDatabase.read<{ password: string | null }>(
    clinic,
    sql`select password from administrator where clinic_id = ${clinic_id} and id = ${administrator.id}`,
  )
  const stored = row?.password ?? null
  if (!(await isPassword({ isKnown: true, owner: clinic_id }, password, stored, cost))) throw wrongPassword()
  await consoleDatabase.write(clinic, async (tx) => {
    // It may have got another one while this one was checked.
    const { rows } = await tx.query(sql`select id from administrator
      where clinic_id = ${clinic_id} and id = ${administrator.id} and disabled_at is null and password = ${stored} for update`)
    if (rows.length === 0) throw wrongPassword()
    await noteProof(tx, { clinic_id, administrator_id: administrator.id, token_hash, by: 'password', now })
    beside(tx)
  })
  await forgetAttempts(consoleDatabase, { clinic_id, who })
}

function wrongPassword(): Problem {
  return faultProblem('unprocessable', [{ pointer: '#/password', code: 'wrong', detail: 'is not the present one' }])
}

/** A challenge is answered in the session that asked for it. */
export function confirming({ token_hash }: ActiveSession): ChallengeUse {
  return { purpose: 'confirm', boundTo: token_hash }
}

/** @throws Problem 422 for an answer that does not fit, or of another person's passkey. */
export async function confirmByPasskey(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  answer: SignedAnswer,
  { now, beside, keys, address }: Confirming & { keys: SigningKeys; address: OwnAddress | null },
): Promise<void> {
  const { clinic, administrator, token_hash } = session
  const { clinic_id } = clinic
  const challenge = challengeOf(answer) ?? ''
  const endsAt = endOfChallenge(keys, confirming(session), challenge, now)
  if (endsAt === null || address === null) throw otherAnswer()
  // A refusal is committed too: a challenge is answered once.
  const isRight = await consoleDatabase.write(clinic, async (tx) => {
    const owner = await ownerOf(tx, clinic_id, answer)
    if (owner?.administrator_id !== administrator.id) return false
    if ((await usedPasskey(tx, owner, answer, { challenge, endsAt, address, now })) === null) return false
    await noteProof(tx, { ...owner, token_hash, by: 'passkey', now })
    beside(tx)
    return true
  })
  if (!isRight) throw otherAnswer()
}

function otherAnswer(): Problem {
  return new Problem('unprocessable', 'This passkey is not yours here, or the answer came too late. Try again.')
}
