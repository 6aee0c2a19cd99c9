// Changes a person's role, disables and removes a person. Owners do it in turn, and each looks again whether it still may.
import type { Role } from '@clinic-data/console-contract/role-names'
import { mayMore, opensApproving } from '@clinic-data/console-contract/roles'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, sql, type Transaction } from '@clinic-data/database'
import { requireAsKnown } from '@clinic-data/surface/as-known'
import { notFound } from '@clinic-data/surface/not-found'
import type { RequireApproval } from '@clinic-data/surface/require-approval'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { changeRoleWithin } from './change-role.ts'
import { disableWithin } from './disable.ts'
import { inTurn } from './in-turn.ts'
import { refuseLastOwner } from './people-lock.ts'
import type { PersonsEnd } from './person-connections.ts'

export interface ChangingPerson {
  id: string
  now: Date
  beside: InSameTransaction
}

export interface ChangingRole extends ChangingPerson {
  /** Asks for a proof of who does it. Called with whether the person may do more. @throws Problem 403 */
  requireCare: (isNeeded: boolean) => void
  requireApproval: RequireApproval
}

/**
 * @returns what ends with the former role.
 * @throws Problem 404, 409 for the last owner and for a disabled person, 403 where a proof or an approval is wanted.
 */
export function changeRole(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { role, known }: { role: Role; known?: object | undefined },
  { id, now, requireCare, requireApproval, beside }: ChangingRole,
): Promise<PersonsEnd> {
  const { clinic_id } = session.clinic
  return inTurn(consoleDatabase, session, 'changeRole', async (tx) => {
    const former = await lockPerson(tx, clinic_id, id)
    requireAsKnown(former, known)
    requireCare(mayMore(role, former.role))
    await requireApproval(tx, {
      isNeeded: opensApproving(role, former.role),
      shown: { name: former.name, former: { role: former.role } },
    })
    const end = await changeRoleWithin(tx, { clinic_id, id, role, now })
    if (end === null) throw new Problem('conflict', DISABLED)
    beside(tx, id)
    return end
  })
}

const DISABLED = 'This person was disabled. Invite the person anew, with the role that is wanted.'

/** @throws Problem 404, 409 for the last owner. */
export function disablePerson(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { id, now, beside }: ChangingPerson,
): Promise<void> {
  const { clinic_id } = session.clinic
  return inTurn(consoleDatabase, session, 'disablePerson', async (tx) => {
    await lockPerson(tx, clinic_id, id)
    await refuseLastOwner(tx, clinic_id, id)
    await disableWithin(tx, { clinic_id, id, now })
    beside(tx, id)
  })
}

/** @throws Problem 404, 409 for the last owner. */
export function removePerson(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { id, now, beside }: ChangingPerson,
): Promise<void> {
  const { clinic_id } = session.clinic
  return inTurn(consoleDatabase, session, 'removePerson', async (tx) => {
    await lockPerson(tx, clinic_id, id)
    await refuseLastOwner(tx, clinic_id, id)
    await disableWithin(tx, { clinic_id, id, now })
    await tx.query(sql`delete from passkey where clinic_id = ${clinic_id} and administrator_id = ${id}`)
    await tx.query(sql`update administrator set removed_at = ${now}, openid_issuer = null, openid_subject = null
      where clinic_id = ${clinic_id} and id = ${id}`)
    beside(tx, id)
  })
}

/** @throws Problem 404 */
async function lockPerson(tx: Transaction, clinic_id: string, id: string): Promise<{ name: string; role: Role }> {
  const { rows } = await tx.query<{ name: string; role: Role }>(sql`select name, role from administrator
    where clinic_id = ${clinic_id} and id = ${id} and removed_at is null for update`)
  const [person] = rows
  if (person === undefined) throw notFound('person', id)
  return person
}
