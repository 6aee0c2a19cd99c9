// The choice of a role: each with a sentence that says what it may do.
import { roles as allRoles, type Role } from '@clinic-data/console-contract/role-names'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { Radio, Stack } from '@mantine/core'

interface RoleChoiceProps {
  role: Role
  onChange: (role: Role) => void
  /** The dialog begins here. */
  isFirst?: boolean
}

export function RoleChoice({ role, onChange, isFirst = false }: RoleChoiceProps) {
  const { people } = usePeopleWords()
  const { roles } = useRoleWords()
  return (
    <Radio.Group label={people.columns.role} value={role} onChange={(next) => onChange(next as Role)}>
      <Stack gap="xs" mt={6}>
        {allRoles.map((one) => (
          <Radio
            key={one}
            className="choice"
            value={one}
            label={roles[one][0]}
            description={roles[one][1]}
            {...(isFirst && one === role && { 'data-autofocus': true })}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
