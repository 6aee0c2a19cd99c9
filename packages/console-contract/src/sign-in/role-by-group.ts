// The roles that a group of the identity provider may give. The page takes them, so no schema stands here.

/** Where a person is in several groups, the one that gives the first of these counts. No group makes an owner (docs/decisions/0115). */
export const rolesByGroup = ['administrator', 'developer', 'auditor', 'member'] as const

export type RoleByGroup = (typeof rolesByGroup)[number]

export const GROUP_ROLES = {
  /** A clinic has five roles. Some groups for each are more than anybody keeps in mind. */
  most: 50,
  /** Providers that name a group by its path write long names. */
  longest_name: 200,
} as const
