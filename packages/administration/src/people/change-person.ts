// Changes a person's role, disables and removes a person. Owners do it in turn, and each looks again whether it still may.
import type { Role } from '@clinic-data/console-contract/role-names'
import { rolesOf, type SessionOperation } from '@clinic-data/console-contract/roles'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, sql, type Transaction } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { type ActiveSession, sessionStillValid } from '../sessions/sessions.ts'
import { disableWithin } from './disable.ts'
import { lockPeople, requireOtherOwner } from './people-lock.ts'

export interface ChangingPerson {
  id: string
  now: Date
  beside: InSameTransaction
}

/** @throws Problem 404, 409 for the last owner and for a disabled person. */
export async function changeRole(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  role: Role,
  { id, beside }: ChangingPerson,
): Promise<void> {
  await inTurn(consoleDatabase, session, 'changeRole', async (tx) => {
    const { clinic_id } = session.clinic
    const person = await lockPerson(tx, clinic_id, id)
    if (person.is_disabled) throw new Problem('conflict', DISABLED)
    if (role !== 'owner') await requireOwnerWithout(tx, clinic_id, person)
    await tx.query(sql`update administrator set role = ${role} where clinic_id = ${clinic_id} and id = ${id}`)
    beside(tx, id)
  })
}

/** @throws Problem 404, 409 for the last owner. */
export async function disablePerson(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { id, now, beside }: ChangingPerson,
): Promise<void> {
  await inTurn(consoleDatabase, session, 'disablePerson', async (tx) => {
    const { clinic_id } = session.clinic
    await requireOwnerWithout(tx, clinic_id, await lockPerson(tx, clinic_id, id))
    await disableWithin(tx, { clinic_id, id, now })
    beside(tx, id)
  })
}

/** @throws Problem 404, 409 for the last owner. */
export async function removePerson(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { id, now, beside }: ChangingPerson,
): Promise<void> {
  await inTurn(consoleDatabase, session, 'removePerson', async (tx) => {
    const { clinic_id } = session.clinic
    await requireOwnerWithout(tx, clinic_id, await lockPerson(tx, clinic_id, id))
    await disableWithin(tx, { clinic_id, id, now })
    await tx.query(sql`delete from passkey where clinic_id = ${clinic_id} and administrator_id = ${id}`)
    await tx.query(sql`update administrator set removed_at = ${now}, openid_issuer = null, openid_subject = null
      where clinic_id = ${clinic_id} and id = ${id}`)
    beside(tx, id)
  })
}

const DISABLED = 'This person was disabled. Invite the person anew, with the role that is wanted.'

/** The session was checked before the wait for the lock. Whoever held it may have been the one who ended this session. */
async function inTurn(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  operation: SessionOperation,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await consoleDatabase.write(session.clinic, async (tx) => {
    await lockPeople(tx, session.clinic.clinic_id)
    await sessionStillValid(session, rolesOf[operation])(tx)
    await work(tx)
  })
}

interface LockedPerson {
  id: string
  role: Role
  is_disabled: boolean
}

async function lockPerson(tx: Transaction, clinic_id: string, id: string): Promise<LockedPerson> {
  const { rows } =
    await tx.query<LockedPerson>(sql`select id, role, disabled_at is not null as is_disabled from administrator
    where clinic_id = ${clinic_id} and id = ${id} and removed_at is null for update`)
  const [person] = rows
  if (person === undefined) throw notFound('person', id)
  return person
}

async function requireOwnerWithout(tx: Transaction, clinic_id: string, person: LockedPerson): Promise<void> {
  if (person.role === 'owner' && !person.is_disabled) await requireOtherOwner(tx, clinic_id, person.id)
}
