// Ends the rights of a person whom no group gives a role any more: sessions, apps, and what the role itself did without a session, such as mails and
// approvals. The account stays, and the next sign-in asks the provider anew.
import type { Role } from '@clinic-data/console-contract/role-names'
import { sql, type Transaction } from '@clinic-data/database'
import type { Holder } from '@clinic-data/surface/still-valid'
import { appsEnd, endConnectionsOf, type PersonsEnd } from '../people/person-connections.ts'
import { endSessionsOf } from '../people/person-sessions.ts'

/** It opens nothing without a session, and nobody begins one. */
const NARROWEST: Role = 'member'

/** The person’s row is locked. `untilPersonsEnd` comes after the commit. @returns null when they had ended before. */
export async function endByGroup(tx: Transaction, { clinic_id, id }: Holder, now: Date): Promise<PersonsEnd | null> {
  const { rowCount } = await tx.query(sql`update administrator set role = ${NARROWEST}, group_ended_at = ${now}
    where clinic_id = ${clinic_id} and id = ${id} and group_ended_at is null`)
  if (rowCount === 0) return null
  await endSessionsOf(tx, { clinic_id, id })
  const end = appsEnd({ clinic_id, id }, now)
  await endConnectionsOf(tx, end)
  return end
}
