// Disables a person: for the operator's command and for the console.
import { sql, type Transaction } from '@clinic-data/database'
import { endPairingsWithin } from '../pairings/pairings.ts'
import { disabledEnd, endConnectionsOf } from './person-connections.ts'
import { endSessionsOf } from './person-sessions.ts'

export interface Disabling {
  clinic_id: string
  id: string
  now: Date
}

/** `untilPersonsEnd` comes after the commit. @returns whether there is such a person. */
export async function disableWithin(tx: Transaction, { clinic_id, id, now }: Disabling): Promise<boolean> {
  // First: a sign-in under way locks this row, too, and then finds it disabled.
  const { rows } =
    await tx.query(sql`update administrator set disabled_at = coalesce(disabled_at, ${now}), password = null
    where clinic_id = ${clinic_id} and id = ${id} returning id`)
  if (rows.length === 0) return false
  await endSessionsOf(tx, { clinic_id, id })
  await endPairingsWithin(tx, { clinic_id, administrator_id: id })
  await tx.query(sql`delete from sign_in_link where clinic_id = ${clinic_id} and administrator_id = ${id}`)
  await endConnectionsOf(tx, disabledEnd({ clinic_id, id }, now))
  return true
}
