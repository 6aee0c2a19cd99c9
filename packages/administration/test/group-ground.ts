// A clinic in which groups of an identity provider give roles, for tests of the console.
import assert from 'node:assert/strict'
import type { GroupRole } from '@clinic-data/console-contract/group-role-operations'
import type { Person as ListedPerson } from '@clinic-data/console-contract/people-operations'
import type { Role } from '@clinic-data/console-contract/role-names'
import type { Database } from '@clinic-data/database'
import type { Consent, IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { once } from './connecting.ts'
import { type Console, type Person, send } from './console-ground.ts'
import { signInByProvider } from './openid-ground.ts'
import { inRole, type SignedPerson } from './people-ground.ts'

/** Roles by the groups that give them. */
export const MAPPED = {
  'clinic-admins': 'administrator',
  builders: 'developer',
  audit: 'auditor',
  staff: 'member',
} as const

export function groupGround(owner: Database, opened: Console, provider: IdentityProvider) {
  const set = ({ cookie }: SignedPerson, group: string, role: Role | null) =>
    send(opened, '/group-roles', { cookie, headers: once(), body: { group, role } })
  const get = async (cookie: string | null, path: string) => send(opened, path, { method: 'GET', cookie })
  return {
    set,
    /** An owner, and an auditor by hand. These groups give these roles. */
    clinicWith: async (roles: Readonly<Record<string, Role>>) => {
      const noa = await inRole(opened, owner, 'owner')
      const dan = await inRole(opened, owner, 'auditor', noa.clinic)
      for (const [group, role] of Object.entries(roles)) assert.equal((await set(noa, group, role)).status, 200)
      return { noa, dan }
    },
    /** The provider says from now on that a person is in these alone. */
    groups: ({ id }: Person, ...names: string[]) => provider.groups?.set(id, names),
    /** @param consent other claims, or others in their place. */
    signIn: ({ clinic, id, email }: Person, { claims, ...consent }: Partial<Consent> = {}) => {
      // Just now, by a clock that is never ahead of the console's.
      const usual = { sub: id, email, email_verified: true, auth_time: Math.floor(opened.clock.now().getTime() / 1000) }
      return signInByProvider({ opened, provider }, { clinic }, { ...consent, claims: { ...usual, ...claims } })
    },
    listed: async ({ cookie }: SignedPerson): Promise<ListedPerson[]> => (await get(cookie, '/people')).json.data,
    read: async ({ cookie }: SignedPerson): Promise<{ data: GroupRole[] }> => (await get(cookie, '/group-roles')).json,
    /** Null: the session has ended. */
    roleOf: async (cookie: string | null): Promise<Role | null> =>
      (await get(cookie, '/session')).json.data?.administrator.role ?? null,
    /** The status of a change that an owner and an administrator may make. */
    minted: async (cookie: string | null): Promise<number> =>
      (await send(opened, '/keys', { cookie, headers: once(), body: { name: 'CRM', scopes: ['catalog:read'] } }))
        .status,
  }
}
