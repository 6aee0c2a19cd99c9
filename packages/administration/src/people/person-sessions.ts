// The sessions of a person, as an owner sees and ends them.
import { PEOPLE, type PersonSession } from '@clinic-data/console-contract/people-operations'
import { type ClinicDatabase, type Statement, sql, type Transaction, withInstants } from '@clinic-data/database'
import type { Holder } from '@clinic-data/surface/still-valid'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { type ActiveSession, lasts } from '../sessions/sessions.ts'
import { requirePerson } from './people.ts'

/** Names a session and opens nothing: half of the hash of its token. */
const SESSION_ID = sql`'ses_' || left(token_hash, 32)`

/** The latest used first. @throws Problem 404 */
export async function listPersonSessions(
  consoleDatabase: ClinicDatabase,
  { clinic, token_hash }: ActiveSession,
  id: string,
  now: Date,
): Promise<PersonSession[]> {
  const { clinic_id } = clinic
  await requirePerson(consoleDatabase, clinic, id)
  const rows = await consoleDatabase.read<PersonSession>(
    clinic,
    sql`select ${SESSION_ID} as id, created_at, seen_at, user_agent,
        case when by_link then 'link' when passkey_id is not null then 'passkey' end as way,
        (select p.other_clinic_id from pairing p where p.clinic_id = ${clinic_id} and p.id = pairing_id) as paired_clinic,
        token_hash = ${token_hash} as is_this
      from administrator_session where clinic_id = ${clinic_id} and administrator_id = ${id} and ${lasts(now)}
      order by seen_at desc, token_hash limit ${PEOPLE.most_sessions}`,
  )
  return rows.map((row) => withInstants(row, 'created_at', 'seen_at'))
}

export interface Ending {
  id: string
  /** Absent: all. */
  session_id: string | undefined
  beside: InSameTransaction
}

/** @throws Problem 404 */
export async function endPersonSessions(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  { id, session_id, beside }: Ending,
): Promise<void> {
  const { clinic_id } = clinic
  await requirePerson(consoleDatabase, clinic, id)
  await consoleDatabase.write(clinic, async (tx) => {
    // All who end several sessions of a person take turns, and so does whoever begins one.
    await tx.query(sql`select id from administrator where clinic_id = ${clinic_id} and id = ${id} for update`)
    await endSessionsOf(
      tx,
      { clinic_id, id },
      session_id === undefined ? sql`true` : sql`${SESSION_ID} = ${session_id}`,
    )
    beside(tx, id)
  })
}

export async function endSessionsOf(
  tx: Transaction,
  { clinic_id, id }: Holder,
  which: Statement = sql`true`,
): Promise<void> {
  await tx.query(
    sql`delete from administrator_session where clinic_id = ${clinic_id} and administrator_id = ${id} and ${which}`,
  )
}
