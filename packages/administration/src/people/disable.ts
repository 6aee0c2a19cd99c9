// Disables a person: for the operator's command and for the console.
import { endWithin, untilRefused } from '@clinic-data/connect/tokens/end-connection'
import { type ClinicDatabase, sql, type Transaction, utcSession } from '@clinic-data/database'
import { untilWritesEnd } from '@clinic-data/surface/still-valid'
import { endSessionsOf } from './person-sessions.ts'

export interface Disabling {
  clinic_id: string
  id: string
  now: Date
}

/** @returns whether there is such a person. */
export async function disableWithin(tx: Transaction, disabling: Disabling): Promise<boolean> {
  const { clinic_id, id, now } = disabling
  // First: a sign-in under way locks this row, too, and then finds it disabled.
  const { rows } =
    await tx.query(sql`update administrator set disabled_at = coalesce(disabled_at, ${now}), password = null
    where clinic_id = ${clinic_id} and id = ${id} returning id`)
  if (rows.length === 0) return false
  await endSessionsOf(tx, { clinic_id, id })
  await tx.query(sql`delete from sign_in_link where clinic_id = ${clinic_id} and administrator_id = ${id}`)
  await endWithin(tx, endOf(disabling))
  return true
}

/**
 * Resolves when the person's apps are refused everywhere, and what the person was writing is stored or undone. Call it after the commit.
 *
 * @param wait waits until the apps are refused everywhere. Default: as long as that takes.
 */
export async function untilDisabled(
  database: ClinicDatabase,
  disabling: Disabling,
  wait: ((ms: number) => Promise<unknown>) | undefined,
): Promise<void> {
  const { clinic_id, id, now } = disabling
  await untilWritesEnd(database, { clinic_id, id })
  // One of these writes may have connected an app.
  const ids = await database.write(utcSession(clinic_id), (tx) => endWithin(tx, endOf(disabling)))
  await untilRefused(database, { clinic_id, ids, now }, wait)
}

function endOf({ clinic_id, id, now }: Disabling) {
  return { clinic_id, which: sql`administrator_id = ${id}`, reason: 'person_disabled' as const, now }
}
