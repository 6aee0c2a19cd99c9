// Locks out who guesses passwords: after ten attempts without success none is looked at for 15 minutes. Counted before the password is checked,
// so that attempts at the same moment count too.
import { hashKey } from '@clinic-data/contract/key'
import { type ClinicDatabase, instant, sql, type Transaction, utcSession, violates } from '@clinic-data/database'

/** More than a person needs to find the right one of several passwords. */
export const MOST_ATTEMPTS = 10
/** So at most 960 guesses a day, whatever their addresses. */
export const LOCKED_MS = 15 * 60 * 1000

/** Each is counted apart: a stranger who gives an administrator's id or a browser's as the email counts for neither. */
export type Guesser =
  | readonly [kind: 'stranger', email: string]
  | readonly [kind: 'browser', email: string, browser: string]
  | readonly [kind: 'administrator', id: string]
  | readonly [kind: 'invitation', id: string]

interface Guessing {
  clinic_id: string
  /** Strangers: the folded email that was given, whether or not anyone has it. */
  who: Guesser
  now: Date
}

/**
 * Counts an attempt.
 *
 * @returns null when it may be looked at, otherwise the seconds until one may.
 */
export async function countAttempt(
  consoleDatabase: ClinicDatabase,
  { clinic_id, who, now }: Guessing,
): Promise<number | null> {
  const email_hash = hashOf(who)
  const staleBefore = new Date(now.getTime() - LOCKED_MS)
  try {
    return await consoleDatabase.write(utcSession(clinic_id), async (tx) => {
      const { rows: counted } = await tx.query(sql`
        insert into sign_in_attempt as a (clinic_id, email_hash, count, last_at) values (${clinic_id}, ${email_hash}, 1, ${now})
        on conflict (clinic_id, email_hash) do update
          set count = case when a.last_at <= ${staleBefore} then 1 else a.count + 1 end, last_at = ${now}
          where a.count < ${MOST_ATTEMPTS} or a.last_at <= ${staleBefore}
        returning count`)
      if (counted.length > 0) {
        await forgetStale(tx, clinic_id, staleBefore)
        return null
      }
      const { rows } = await tx.query<{ last_at: string }>(sql`select last_at from sign_in_attempt
        where clinic_id = ${clinic_id} and email_hash = ${email_hash}`)
      const lockedUntil = new Date(instant(rows[0]?.last_at ?? null) ?? now).getTime() + LOCKED_MS
      return Math.max(1, Math.ceil((lockedUntil - now.getTime()) / 1000))
    })
  } catch (error) {
    // Nobody can sign in to a clinic that does not exist.
    if (violates(error, 'foreign key')) return null
    throw error
  }
}

const hashOf = (who: Guesser) => hashKey(JSON.stringify(who))

/** More than one attempt makes, so that they never become many. */
const FORGOTTEN_AT_ONCE = 10

/** Forgets attempts that lock nobody out any more. Does not wait for those that are being counted, which might wait for this one. */
async function forgetStale(tx: Transaction, clinic_id: string, staleBefore: Date): Promise<void> {
  await tx.query(sql`delete from sign_in_attempt where clinic_id = ${clinic_id} and email_hash in (
    select email_hash from sign_in_attempt where clinic_id = ${clinic_id} and last_at <= ${staleBefore}
    order by last_at limit ${FORGOTTEN_AT_ONCE} for update skip locked)`)
}

/** Forgets the attempts of somebody who has given the right password. */
export async function forgetAttempts(
  consoleDatabase: ClinicDatabase,
  { clinic_id, who }: Omit<Guessing, 'now'>,
): Promise<void> {
  await consoleDatabase.write(utcSession(clinic_id), (tx) =>
    tx.query(sql`delete from sign_in_attempt where clinic_id = ${clinic_id} and email_hash = ${hashOf(who)}`),
  )
}
