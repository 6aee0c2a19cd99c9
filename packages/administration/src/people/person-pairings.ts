// The pairings of a person, as an owner ends them: no other clinic's sign-in opens this one then.
import type { ClinicDatabase } from '@clinic-data/database'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { endPairingsWithin } from '../pairings/pairings.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { requirePerson } from './people.ts'

/** @throws Problem 404 */
export async function endPersonPairings(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  { id, beside }: { id: string; beside: InSameTransaction },
): Promise<void> {
  await requirePerson(consoleDatabase, clinic, id)
  await consoleDatabase.write(clinic, async (tx) => {
    await endPairingsWithin(tx, { clinic_id: clinic.clinic_id, administrator_id: id })
    beside(tx, id)
  })
}
