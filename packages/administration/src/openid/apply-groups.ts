// Gives a person the role of the groups that the provider has just told, or ends the rights of one whom none gives a role any more.
import type { Role } from '@clinic-data/console-contract/role-names'
import { sql, type Transaction } from '@clinic-data/database'
import type { Holder } from '@clinic-data/surface/still-valid'
import { changeRoleWithin } from '../people/change-role.ts'
import type { PersonsEnd } from '../people/person-connections.ts'
import { endByGroup } from './end-by-group.ts'
import { groupRolesOf, roleOfGroups } from './group-roles.ts'

/**
 * `by_hand`: the role has nothing to do with groups. `by_group`: a group gives the role, as before. `changed`: another role, or from another group.
 * `ended`: a group gave it, and none does any more.
 */
export interface Applied {
  state: 'by_hand' | 'by_group' | 'changed' | 'ended'
  /** The apps that end with it. `untilPersonsEnd` comes after the commit. */
  end: PersonsEnd | null
}

/**
 * Call it under the lock of the clinic's people. An owner stays one: whoever manages the groups at the provider cannot take the clinic from its owners, nor
 * become one. A role by hand stays until a group gives one.
 */
export async function applyGroups(
  tx: Transaction,
  { clinic_id, id }: Holder,
  groups: readonly string[],
  now: Date,
): Promise<Applied> {
  const { rows } = await tx.query<PersonRow>(sql`select role, role_group, group_ended_at is not null as has_ended
    from administrator
    where clinic_id = ${clinic_id} and id = ${id} and disabled_at is null for update`)
  const [person] = rows
  if (person === undefined || person.role === 'owner') return { state: 'by_hand', end: null }
  const byGroup = roleOfGroups(await groupRolesOf(tx, clinic_id), groups)
  if (byGroup === null)
    return person.role_group === null
      ? { state: 'by_hand', end: null }
      : { state: 'ended', end: await endByGroup(tx, { clinic_id, id }, now) }
  if (byGroup.group === person.role_group && byGroup.role === person.role && !person.has_ended)
    return { state: 'by_group', end: null }
  return { state: 'changed', end: await changeRoleWithin(tx, { clinic_id, id, ...byGroup, now }) }
}

interface PersonRow {
  role: Role
  role_group: string | null
  has_ended: boolean
}
