// Gives a person another role: for the operator's command and for the console.
import type { Role } from '@clinic-data/console-contract/role-names'
import { USUAL_MEMBER_SCOPES } from '@clinic-data/console-contract/roles'
import type { Scope } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import { refuseLastOwner } from './people-lock.ts'
import { endConnectionsOf, type PersonsEnd, roleEnd } from './person-connections.ts'

interface NewRole {
  clinic_id: string
  id: string
  role: Role
  now: Date
}

/**
 * Under the lock of the clinic's people. `untilPersonsEnd` comes after the commit.
 *
 * @returns what ends with the former role. Null when nobody with this id may sign in.
 * @throws Problem 409 for the last owner.
 */
export async function changeRoleWithin(
  tx: Transaction,
  { clinic_id, id, role, now }: NewRole,
): Promise<PersonsEnd | null> {
  if (role !== 'owner') await refuseLastOwner(tx, clinic_id, id)
  const { rows } = await tx.query<{ member_scopes: Scope[] | null }>(sql`update administrator a set role = ${role}
    from clinic c where c.clinic_id = ${clinic_id} and a.clinic_id = ${clinic_id} and a.id = ${id} and a.disabled_at is null
    returning c.member_scopes`)
  const [row] = rows
  if (row === undefined) return null
  const end = roleEnd({ clinic_id, id }, { role, memberScopes: row.member_scopes ?? USUAL_MEMBER_SCOPES, now })
  await endConnectionsOf(tx, end)
  return end
}
