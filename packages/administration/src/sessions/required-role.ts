// The check of a role, in one place: before an operation, and again in the transaction of its change.
import type { Role } from '@clinic-data/console-contract/role-names'
import { Problem } from '@clinic-data/contract'

const WITH_ARTICLE: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  administrator: 'an administrator',
  developer: 'a developer',
  auditor: 'an auditor',
  member: 'a member',
}

/** @throws Problem 403 that says which roles may. */
export function requireRole(role: Role, allowed: readonly Role[]): void {
  if (allowed.includes(role)) return
  const who = allowed.map((one) => WITH_ARTICLE[one]).join(' or ') || 'nobody'
  const detail = `Only ${who} of the clinic may do this. You are ${WITH_ARTICLE[role]}, and an owner can change that.`
  throw new Problem('forbidden', detail)
}
