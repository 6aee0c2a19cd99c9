// Lets another group of the identity provider give a role.
import { GROUP_ROLES, type RoleByGroup } from '@clinic-data/console-contract/role-by-group'
import { api, type BodyOf } from '@clinic-data/console-parts/api'
import { useDraft } from '@clinic-data/console-parts/requests/draft'
import { PEOPLE } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus, isChangedMeanwhile } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Button, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { GroupRoleSelect } from './group-role-select.tsx'

/** A mistake gives the least. */
const FIRST_ROLE: RoleByGroup = 'member'

export function AddGroup({ groups, provider }: { groups: readonly string[]; provider: string }) {
  const { groupRoles: words } = usePeopleWords()
  const client = useQueryClient()
  const [group, setGroup] = useDraft('new group name', '')
  const [role, setRole] = useDraft<RoleByGroup>('new group role', FIRST_ROLE)
  const sent = useActing({
    act: (body: BodyOf<'setGroupRole'>) => api.setGroupRole(body),
    onDone: () => {
      setGroup('')
      setRole(FIRST_ROLE)
    },
    after: () => client.invalidateQueries({ queryKey: PEOPLE }),
  })
  const name = group.trim()
  const [known, setKnown] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Its role is changed in the list, where it is asked first.
    if (groups.includes(name)) setKnown(name)
    else sent.act({ group: name, role, known: { role: null } })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <div className="group-adding">
          <TextInput
            className="group-role"
            label={words.group}
            description={words.groupHint(provider)}
            dir="auto"
            autoComplete="off"
            required
            withAsterisk={false}
            maxLength={GROUP_ROLES.longest_name}
            value={group}
            onChange={({ currentTarget: { value } }) => setGroup(value)}
          />
          <GroupRoleSelect name={{ label: words.role }} role={role} onChange={setRole} />
          <Button type="submit" variant="default" loading={sent.isPending}>
            {words.submit}
          </Button>
        </div>
        {name !== '' && name === known && <Refused text={words.known} />}
        {hasStatus(sent.error, 409) && !isChangedMeanwhile(sent.error) ? (
          <Refused text={words.conflict(provider)} />
        ) : (
          <Failure error={sent.error} />
        )}
      </Stack>
    </form>
  )
}
