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
  /** The group that gives it. Default: somebody gives it by hand. */
  group?: string | null
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
  { clinic_id, id, role, group = null, now }: NewRole,
): Promise<PersonsEnd | null> {
  if (role !== 'owner') await refuseLastOwner(tx, clinic_id, id)
  const { rowCount } =
    await tx.query(sql`update administrator set role = ${role}, role_group = ${group}, group_ended_at = null
    where clinic_id = ${clinic_id} and id = ${id} and disabled_at is null`)
  if (rowCount === 0) return null
  // Another statement: on a cluster a change that reads the clinics locks them for all.
  const { rows } = await tx.query<{ member_scopes: Scope[] | null }>(
    sql`select member_scopes from clinic where clinic_id = ${clinic_id}`,
  )
  const end = roleEnd({ clinic_id, id }, { role, memberScopes: rows[0]?.member_scopes ?? USUAL_MEMBER_SCOPES, now })
  await endConnectionsOf(tx, end)
  return end
}
