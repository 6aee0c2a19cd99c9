// Signs administrators in by their password. Who sends an attempt decides how it is counted and where it waits, never whether there is such an
// account: otherwise that could be told from outside. A browser that has signed in to the account has a count of its own. All others are
// strangers, who share the account's count and that of their address. What is refused is refused in the same words and by the same check.
import { type Database, sql, utcSession } from '@clinic-data/database'
import { foldEmail } from '@clinic-data/records/folded-email'
import { isClinicId } from '../clinics.ts'
import type { FailedSignIns } from './console-parts.ts'
import type { Account } from './known-browser.ts'
import { isPassword, type PasswordCost, type Turn } from './password.ts'
import { type Attempting, beginFor, type SignInOutcome, UNKNOWN } from './sign-in.ts'
import { countAttempt, forgetAttempts, type Guesser } from './sign-in-attempts.ts'
import { EXHAUSTED_SECONDS } from './too-many.ts'

export interface GivenPassword {
  clinic_id: string
  email: string
  password: string
}

export interface PasswordAttempting extends Attempting {
  failedSignIns: FailedSignIns
  /** The address, and the block of it that takes turns with others. */
  client: { address: string; block: string }
  /** The id of the browser, if it has signed in to the account. */
  browserOf: (account: Account) => string | null
  /** An account without a password costs a guess as much as this. */
  passwordCost: PasswordCost | undefined
}

export async function signInByPassword(
  consoleDatabase: Database,
  { clinic_id, password, ...sent }: GivenPassword,
  attempt: PasswordAttempting,
): Promise<SignInOutcome> {
  const { failedSignIns, client, browserOf } = attempt
  const account = { clinic_id, email: foldEmail(sent.email) }
  const browser = browserOf(account)
  if (browser !== null) {
    const turn = { isKnown: true, owner: clinic_id }
    return signIn(consoleDatabase, { ...account, password, turn, who: ['browser', account.email, browser] }, attempt)
  }
  if (failedSignIns.isExhausted(client.address)) return { state: 'locked', seconds: EXHAUSTED_SECONDS, known: null }
  const stranger: Sent = {
    ...account,
    password,
    turn: { isKnown: false, owner: client.block },
    who: ['stranger', account.email],
  }
  const outcome = await failedSignIns.during(client.address, () => signIn(consoleDatabase, stranger, attempt))
  // An account that is locked already is no further guess.
  if (outcome.state === 'refused') failedSignIns.fail(client.address)
  return outcome
}

interface Sent extends Account {
  password: string
  turn: Turn
  /** Under which its attempts are counted. */
  who: Guesser
}

async function signIn(
  consoleDatabase: Database,
  { clinic_id, email, password, turn, who }: Sent,
  attempt: PasswordAttempting,
): Promise<SignInOutcome> {
  // No clinic has such an id, and no session could be opened under it.
  if (!isClinicId(clinic_id)) {
    await isPassword(turn, password, null, attempt.passwordCost)
    return UNKNOWN
  }
  const seconds = await countAttempt(consoleDatabase, { clinic_id, who, now: attempt.now })
  // Before anybody asks whether there is such an account: then nothing can tell.
  if (seconds !== null) return { state: 'locked', seconds, known: null }
  const [administrator] = await consoleDatabase.read<{ id: string; password: string | null }>(
    utcSession(clinic_id),
    sql`select id, password from administrator
      where clinic_id = ${clinic_id} and email = ${email} and disabled_at is null`,
  )
  const known = administrator === undefined ? null : { clinic_id, administrator_id: administrator.id }
  const isRight = await isPassword(turn, password, administrator?.password ?? null, attempt.passwordCost)
  if (!isRight || administrator === undefined || known === null) return { state: 'refused', known }
  const token = await consoleDatabase.write(utcSession(clinic_id), async (tx) => {
    // It may have been disabled, or got another password, while this one was checked.
    const { rows } = await tx.query(sql`select id from administrator where clinic_id = ${clinic_id}
      and id = ${administrator.id} and disabled_at is null and password = ${administrator.password} for update`)
    return rows.length === 0 ? null : beginFor(tx, known, 'password', attempt)
  })
  if (token === null) return { state: 'refused', known }
  await forgetAttempts(consoleDatabase, { clinic_id, who })
  return { state: 'begun', token, known }
}
