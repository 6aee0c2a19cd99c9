// The roles of the people of a clinic, from the widest to the narrowest.
import { choice } from '@clinic-data/contract/schema'

export const roles = ['owner', 'administrator', 'developer', 'auditor', 'member'] as const

export type Role = (typeof roles)[number]

export const RoleName = choice(roles, {
  description:
    'An owner may do everything. An administrator: everything but people. A developer: webhooks. An auditor: reads the activity. A member: connects apps.',
})
