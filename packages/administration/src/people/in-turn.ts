// Changes who the people of a clinic are, what they may do or how they sign in: one after another, and each looks again whether it still may.
import { rolesOf, type SessionOperation } from '@clinic-data/console-contract/roles'
import type { ClinicDatabase, Transaction } from '@clinic-data/database'
import { type ActiveSession, sessionStillValid } from '../sessions/sessions.ts'
import { lockPeople } from './people-lock.ts'

/**
 * The session was checked before the wait for the lock. Whoever held it may have been the one who ended this session.
 *
 * @throws Problem 401 and 403
 */
export function inTurn<T>(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  operation: SessionOperation,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return consoleDatabase.write(session.clinic, async (tx) => {
    await lockPeople(tx, session.clinic.clinic_id)
    await sessionStillValid(session, rolesOf[operation])(tx)
    return work(tx)
  })
}
