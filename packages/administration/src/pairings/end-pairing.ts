// Ends pairings. Each clinic's own row is enough: from its commit on, neither opens the other one.
import { type ClinicDatabase, type Database, sql, utcSession } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import type { RecordFor } from './pair.ts'
import { type Account, accountOf, endPairingsWithin } from './pairings.ts'

/** @returns the account of the other clinic. @throws Problem 404 */
export async function endPairing(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { id, beside }: { id: string; beside: InSameTransaction },
): Promise<Account> {
  return consoleDatabase.write(session.clinic, async (tx) => {
    const [ended] = await endPairingsWithin(tx, accountOf(session), sql`id = ${id}`)
    if (ended === undefined) throw notFound('pairing', id)
    beside(tx, id)
    return ended.other
  })
}

/** The other clinic's row opens nothing any more. It goes too, with the sessions that it has opened. */
export async function endPairingThere(database: Database, account: Account, id: string, record: RecordFor) {
  await database.write(utcSession(account.clinic_id), async (tx) => {
    const ended = await endPairingsWithin(tx, account, sql`id = ${id}`)
    if (ended.length > 0) record(tx, account, id)
  })
}
