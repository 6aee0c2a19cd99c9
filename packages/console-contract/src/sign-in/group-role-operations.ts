// The operations of roles that groups of the identity provider give.
import {
  about,
  choice,
  Instant,
  list,
  nullable,
  object,
  type Static,
  Type,
  text,
  trimmed,
  whole,
} from '@clinic-data/contract/schema'
import { changeOf, consoleOperation } from '../console-operation.ts'
import { PEOPLE } from '../people-operations.ts'
import { GROUP_ROLES, rolesByGroup } from './role-by-group.ts'

/** The names of the audit rows when the provider’s answer gives a person a role, and when no group gives one any more. */
export const ROLE_BY_GROUP = 'console.people.role_by_group'
export const GROUP_ENDED = 'console.people.group_ended'

const Role = choice(rolesByGroup)

export const GroupRole = object({
  group: about('As the provider writes it.', text(GROUP_ROLES.longest_name)),
  role: Role,
  created_at: about('Since when it gives this role.', Instant),
  people: whole(0, PEOPLE.most, { description: 'They have the role by this group now.' }),
})

export type GroupRole = Static<typeof GroupRole>

const listed = object({
  is_offered: Type.Boolean({ description: 'Whether the provider tells groups. Otherwise none can be added.' }),
  data: list(GroupRole, GROUP_ROLES.most),
})

export const groupRoleOperations = {
  groupRoles: consoleOperation({
    id: 'console.group_roles',
    method: 'GET',
    path: '/console/api/group-roles',
    output: listed,
  }),
  /**
   * Says which role a group gives, or with null that it gives none. It holds at once for whoever has a role by this group, and for others from their
   * next sign-in on. 409 where the provider tells no groups, for one group too many, and where the clinic demands a passkey.
   */
  setGroupRole: consoleOperation({
    id: 'console.group_roles.set',
    method: 'POST',
    path: '/console/api/group-roles',
    audited: 'console.group_roles.set',
    body: changeOf({
      group: text(GROUP_ROLES.longest_name, { minLength: 1, ...trimmed }),
      role: nullable(Role),
    }),
    output: listed,
  }),
} as const
