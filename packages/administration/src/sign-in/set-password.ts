// Sets the password of a signed-in administrator, and ends all other ways in that were open until then.
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, sql, type Transaction, utcSession } from '@clinic-data/database'
import { isProvenLately } from '../sessions/proof.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { hashPassword, isPassword, type PasswordCost } from './password.ts'
import { countAttempt, forgetAttempts, type Guesser } from './sign-in-attempts.ts'
import { tooMany } from './too-many.ts'

interface Wanted {
  current_password: string | undefined
  password: string
  now: Date
  cost: PasswordCost | undefined
  /** Asks for a proof of who changes it. Called with whether none is in the request. */
  requireCare: (isNeeded: boolean) => void
  /** Runs in the transaction of the change, last. */
  beside: (tx: Transaction) => void
}

/**
 * @throws Problem 403 where a proof is wanted, 422 for a missing or wrong current password where one is needed,
 * 429 after too many wrong ones.
 */
export async function setPassword(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  wanted: Wanted,
): Promise<void> {
  const { clinic, administrator, token_hash } = session
  const { clinic_id } = clinic
  // Apart from strangers, who would lock out whoever is signed in.
  const who: Guesser = ['administrator', administrator.id]
  const guessing = { clinic_id, who, now: wanted.now }
  const [row] = await consoleDatabase.read<{ password: string | null }>(
    utcSession(clinic_id),
    sql`select password from administrator where clinic_id = ${clinic_id} and id = ${administrator.id}`,
  )
  const stored = row?.password ?? null
  wanted.requireCare(stored === null || wanted.current_password === undefined)
  if (stored !== null && !needsNoPassword(session, wanted.now)) {
    if (wanted.current_password === undefined) throw wrong('required', 'must be given')
    const seconds = await countAttempt(consoleDatabase, guessing)
    if (seconds !== null) throw tooMany(seconds)
    if (!(await isPassword({ isKnown: true, owner: clinic_id }, wanted.current_password, stored)))
      throw wrong('wrong', 'is not the present one')
  }
  const password = await hashPassword(clinic_id, wanted.password, wanted.cost)
  await consoleDatabase.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query(sql`update administrator set password = ${password}
      where clinic_id = ${clinic_id} and id = ${administrator.id} and disabled_at is null
        and password is not distinct from ${stored} returning id`)
    if (rows.length === 0) throw new Problem('conflict', 'The password was changed at the same moment. Sign in again.')
    await tx.query(sql`delete from administrator_session where clinic_id = ${clinic_id}
      and administrator_id = ${administrator.id} and token_hash <> ${token_hash}`)
    await tx.query(sql`delete from sign_in_link
      where clinic_id = ${clinic_id} and administrator_id = ${administrator.id}`)
    await tx.query(sql`update administrator_session set by_link = false, by_passkey = false
      where clinic_id = ${clinic_id} and token_hash = ${token_hash}`)
    wanted.beside(tx)
  })
  await forgetAttempts(consoleDatabase, guessing)
}

/** Whoever has just come by a link or a passkey may have forgotten the password. Hours later it could be anyone who finds the browser open. */
export function needsNoPassword(session: ActiveSession, now: Date): boolean {
  return session.isByLinkOrPasskey && isProvenLately(session, now)
}

function wrong(code: string, detail: string): Problem {
  const errors = [{ pointer: '#/current_password', code, detail }]
  return new Problem('unprocessable', `\`current_password\` ${detail}.`, { errors })
}
