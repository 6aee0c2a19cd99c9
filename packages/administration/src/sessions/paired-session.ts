// The session that a browser has in a clinic which is paired with the one that it signed in to (docs/decisions/0114). It has no token of its own: it
// is found by the token of the first one, so it opens nothing without that.
import { hashKey } from '@clinic-data/contract/key'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { type ActiveSession, findSession, findSessionAt, type Looking } from './sessions.ts'

/** A request of the browser names both. */
interface Opened {
  token: string
  /** A paired clinic. Null: the one of the token. */
  at: string | null
}

/** Null when the session of the token has ended, or does not open the clinic. Both are asked at every request. */
export async function findOpened(
  consoleDatabase: Database,
  { token, at }: Opened,
  looking: Looking,
): Promise<ActiveSession | null> {
  const first = await findSession(consoleDatabase, token, looking)
  if (first === null || at === null || at === first.clinic.clinic_id) return first
  const { clinic_id } = first.clinic
  // Each clinic can end a pairing: here by this row, there by the session's own.
  const [pairing] = await consoleDatabase.read<{ id: string; other_clinic_id: string }>(
    utcSession(clinic_id),
    sql`select id, other_clinic_id from pairing
      where clinic_id = ${clinic_id} and administrator_id = ${first.administrator.id} and other_clinic_id = ${at}`,
  )
  if (pairing === undefined) return null
  const place = { clinic_id: pairing.other_clinic_id, token_hash: pairedHash(token, pairing.id) }
  return findSessionAt(consoleDatabase, place, looking)
}

/** No token has this hash, because none has such a form. */
export function pairedHash(token: string, pairing_id: string): string {
  return hashKey(`${token} ${pairing_id}`)
}
