// The list of the roles that a group may give.
import { type RoleByGroup, rolesByGroup } from '@clinic-data/console-contract/role-by-group'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { NativeSelect } from '@mantine/core'

interface GroupRoleSelectProps {
  name: { label: string } | { 'aria-label': string }
  role: RoleByGroup
  onChange: (role: RoleByGroup) => void
}

export function GroupRoleSelect({ name, role, onChange }: GroupRoleSelectProps) {
  const { roles } = useRoleWords()
  return (
    <NativeSelect
      {...name}
      value={role}
      data={rolesByGroup.map((value) => ({ value, label: roles[value][0] }))}
      onChange={({ currentTarget }) => {
        const chosen = rolesByGroup.find((one) => one === currentTarget.value)
        if (chosen !== undefined) onChange(chosen)
      }}
    />
  )
}
