// Which group of the identity provider gives which role: an owner says so (docs/decisions/0115).
import type { GroupRole } from '@clinic-data/console-contract/group-role-operations'
import { GROUP_ROLES, type RoleByGroup, rolesByGroup } from '@clinic-data/console-contract/role-by-group'
import { mayMore, opensApproving } from '@clinic-data/console-contract/roles'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, sql, type Transaction, withInstants } from '@clinic-data/database'
import { requireAsKnown } from '@clinic-data/surface/as-known'
import type { RequireApproval } from '@clinic-data/surface/require-approval'
import type { Holder } from '@clinic-data/surface/still-valid'
import { changeRoleWithin } from '../people/change-role.ts'
import { inTurn } from '../people/in-turn.ts'
import type { PersonsEnd } from '../people/person-connections.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { endByGroup } from './end-by-group.ts'

/** By the name of the group. */
export async function listGroupRoles(consoleDatabase: ClinicDatabase, { clinic }: ActiveSession): Promise<GroupRole[]> {
  const { clinic_id } = clinic
  const rows = await consoleDatabase.read<GroupRole>(
    clinic,
    sql`select g.group_name as "group", g.role, g.created_at,
        (select count(*)::integer from administrator a
          where a.clinic_id = ${clinic_id} and a.role_group = g.group_name and a.group_ended_at is null
            and a.disabled_at is null) as people
      from group_role g where g.clinic_id = ${clinic_id} order by g.group_name`,
  )
  return rows.map((row) => withInstants(row, 'created_at'))
}

export interface GivingRole {
  group: string
  /** Null: the group gives none any more. */
  role: RoleByGroup | null
  /** Its role as the form was opened on. */
  known?: object | undefined
  /** Whether the provider tells groups. */
  isOffered: boolean
  now: Date
  /** Called with whether anybody may do more by it. @throws Problem 403 */
  requireCare: (isNeeded: boolean) => void
  requireApproval: RequireApproval
  beside: (tx: Transaction) => void
}

/**
 * It holds at once for whoever has a role by this group, and for others when they next sign in.
 *
 * @returns what ends with former roles. `untilPersonsEnd` comes after the commit.
 * @throws Problem 409 for one group too many, and where groups are not told or cannot be asked for.
 */
export function setGroupRole(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { group, role, known, isOffered, now, requireCare, requireApproval, beside }: GivingRole,
): Promise<PersonsEnd[]> {
  const { clinic_id } = session.clinic
  return inTurn(consoleDatabase, session, 'setGroupRole', async (tx) => {
    if (role !== null) await requireAskable(tx, clinic_id, isOffered)
    const former = (await groupRolesOf(tx, clinic_id)).get(group) ?? null
    requireAsKnown({ group, role: former }, known)
    requireCare(role !== null && (former === null || mayMore(role, former)))
    const isNeeded = role !== null && opensApproving(role, former)
    await requireApproval(tx, { isNeeded, shown: { name: group, former: { role: former } } })
    const ends = await storeGroupRole(tx, { clinic_id, group, role, now })
    beside(tx)
    return ends
  })
}

interface Stored {
  clinic_id: string
  group: string
  role: RoleByGroup | null
  now: Date
}

async function storeGroupRole(tx: Transaction, { clinic_id, group, role, now }: Stored): Promise<PersonsEnd[]> {
  if (role === null)
    await tx.query(sql`delete from group_role where clinic_id = ${clinic_id} and group_name = ${group}`)
  else
    await tx.query(sql`insert into group_role (clinic_id, group_name, role, created_at) values (${clinic_id}, ${group}, ${role}, ${now})
      on conflict (clinic_id, group_name) do update set role = excluded.role, created_at = excluded.created_at
      where group_role.role <> excluded.role`)
  if ((await groupRolesOf(tx, clinic_id)).size > GROUP_ROLES.most) throw new Problem('conflict', TOO_MANY)
  const { rows } = await tx.query<{ id: string }>(sql`select id from administrator
    where clinic_id = ${clinic_id} and role_group = ${group} and group_ended_at is null and disabled_at is null order by id for update`)
  const ends: (PersonsEnd | null)[] = []
  for (const { id } of rows) {
    const holder: Holder = { clinic_id, id }
    ends.push(
      role === null ? await endByGroup(tx, holder, now) : await changeRoleWithin(tx, { ...holder, role, group, now }),
    )
  }
  return ends.filter((end) => end !== null)
}

/** @throws Problem 409 */
async function requireAskable(tx: Transaction, clinic_id: string, isOffered: boolean): Promise<void> {
  if (!isOffered) throw new Problem('conflict', NOT_TOLD)
  const { rows } = await tx.query(
    sql`select clinic_id from clinic where clinic_id = ${clinic_id} and sign_in_demand = 'passkey'`,
  )
  if (rows.length > 0) throw new Problem('conflict', PASSKEY_DEMANDED)
}

/** Roles by the names of groups. */
export async function groupRolesOf(tx: Transaction, clinic_id: string): Promise<ReadonlyMap<string, RoleByGroup>> {
  const { rows } = await tx.query<{ group_name: string; role: RoleByGroup }>(
    sql`select group_name, role from group_role where clinic_id = ${clinic_id} order by group_name`,
  )
  return new Map(rows.map(({ group_name, role }) => [group_name, role]))
}

/** The role of a person's groups, and the group that gives it: the first in `rolesByGroup`. Null: none of them gives one. */
export function roleOfGroups(
  roles: ReadonlyMap<string, RoleByGroup>,
  groups: readonly string[],
): { group: string; role: RoleByGroup } | null {
  const isIn = new Set(groups)
  const found = Array.from(roles, ([group, role]) => ({ group, role })).filter(({ group }) => isIn.has(group))
  return rolesByGroup.flatMap((role) => found.find((one) => one.role === role) ?? [])[0] ?? null
}

const TOO_MANY = `At most ${GROUP_ROLES.most} groups give roles in a clinic. Take one off first.`
const NOT_TOLD = 'The identity provider is not asked for groups. The operator of the service sets that.'
const PASSKEY_DEMANDED =
  'The clinic demands a passkey of everybody, and whoever has a role by group signs in by the identity provider. Change one of the two.'
