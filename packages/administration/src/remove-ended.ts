// Removes what no longer signs anyone in: ended sessions, expired links, invitations and challenges, attempts that lock nobody out any more, and the
// passwords of administrators whom an earlier version disabled. The codes and tokens of apps go with them, and old approvals.
import { removeEndedTokens } from '@clinic-data/connect/connections/remove-ended'
import { type Database, type Statement, sql, utcSession } from '@clinic-data/database'
import { lasts } from './sessions/sessions.ts'
import { LOCKED_MS } from './sign-in/sign-in-attempts.ts'

/** Rows of a table per transaction, some milliseconds. */
const REMOVED_AT_ONCE = 1_000

/** Whoever opens an old invitation learns for so long why it is none any more. */
const TOLD_MS = 30 * 24 * 60 * 60 * 1000

/** Longer than any approval lasts and the list shows it. The audit log keeps who approved what. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000

/** @returns the number of removed rows of the clinic. */
export async function removeEndedSignIns(owner: Database, clinic_id: string, now: Date): Promise<number> {
  await noteLastSeen(owner, clinic_id, now)
  const tables: Record<string, [key: string, hasEnded: Statement]> = {
    administrator_session: ['token_hash', sql`not (${lasts(now)})`],
    sign_in_link: ['token_hash', sql`expires_at <= ${now}`],
    invitation: ['id', sql`expires_at <= ${new Date(now.getTime() - TOLD_MS)}`],
    approval: ['id', sql`asked_at <= ${new Date(now.getTime() - KEPT_MS)}`],
    spent_challenge: ['challenge_hash', sql`expires_at <= ${now}`],
    sign_in_attempt: ['email_hash', sql`last_at <= ${new Date(now.getTime() - LOCKED_MS)}`],
  }
  await owner.write(utcSession(clinic_id), (tx) =>
    tx.query(sql`update administrator set password = null
      where clinic_id = ${clinic_id} and disabled_at is not null and password is not null`),
  )
  let removed = await removeEndedTokens(owner, clinic_id, now)
  for (const [table, [key, hasEnded]] of Object.entries(tables)) {
    removed += await removeAll(owner, clinic_id, { table: sql.identifier(table), key: sql.identifier(key), hasEnded })
  }
  return removed
}

/** The list of administrators tells when each was last seen, also after the session is gone. */
async function noteLastSeen(owner: Database, clinic_id: string, now: Date): Promise<void> {
  const sessions = sql`administrator_session s where s.clinic_id = ${clinic_id} and s.administrator_id = a.id`
  await owner.write(utcSession(clinic_id), (tx) =>
    tx.query(sql`update administrator a
      set last_seen_at = greatest(last_seen_at, (select max(s.seen_at) from ${sessions}))
      where clinic_id = ${clinic_id} and exists (select from ${sessions} and not (${lasts(now)}))`),
  )
}

interface Ended {
  table: Statement
  key: Statement
  hasEnded: Statement
}

/** Waits for nobody: a row in use is left to the next round. */
async function removeAll(owner: Database, clinic_id: string, { table, key, hasEnded }: Ended): Promise<number> {
  const statement = sql`delete from ${table} where clinic_id = ${clinic_id} and ${key} in (
    select ${key} from ${table} where clinic_id = ${clinic_id} and ${hasEnded}
    limit ${REMOVED_AT_ONCE} for update skip locked)`
  for (let removed = 0; ; ) {
    const { rowCount } = await owner.write(utcSession(clinic_id), (tx) => tx.query(statement), { isDurable: false })
    removed += rowCount
    if (rowCount < REMOVED_AT_ONCE) return removed
  }
}
