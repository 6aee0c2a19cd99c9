// The roles of the people of a clinic, from the widest to the narrowest. The page takes them, so no schema stands here.

export const roles = ['owner', 'administrator', 'developer', 'auditor', 'member'] as const

export type Role = (typeof roles)[number]
