// The roles of people, with a sentence for each that says what it may do, and the words of a page that is not open to a role, in English.
import type { Role } from '@clinic-data/console-contract/role-names'

export const roles: Record<Role, readonly [name: string, text: string]> = {
  owner: ['Owner', 'May do everything, and decides who has access.'],
  administrator: ['Administrator', 'May do everything but decide who has access.'],
  developer: [
    'Developer',
    'Watches webhooks and mends them: tests, sends again, changes secrets. Does not say where they go, and sees nothing of a patient.',
  ],
  auditor: ['Auditor', 'Sees the activity: who read and changed whose data. Changes nothing.'],
  member: ['Member', 'Connects apps, with the permissions that the clinic allows its members. Sees only these apps.'],
}

export const forbidden = {
  title: 'This page is not open to you',
  may: (page: string, roles: string) => `${page} is for the role: ${roles}.`,
  yours: (role: string) => `Your role is: ${role}. An owner of the clinic can change it.`,
}
