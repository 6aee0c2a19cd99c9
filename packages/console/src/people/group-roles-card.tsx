// Which group of the identity provider gives which role. A change holds at once for the people of the group: it is asked first, with how many they are.

import { GROUP_ROLES, type RoleByGroup, rolesByGroup } from '@clinic-data/console-contract/role-by-group'
import { api, type GroupRole } from '@clinic-data/console-parts/api'
import { PEOPLE } from '@clinic-data/console-parts/requests/query-client'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useTimes } from '@clinic-data/console-parts/times'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useProvider } from '../provider.ts'
import { AddGroup } from './add-group.tsx'
import { GroupRoleSelect } from './group-role-select.tsx'

/** Below the people, so that it is read again when one of these changes. */
const GROUP_ROLES_READ = [...PEOPLE, 'roles by group']

interface Choice {
  row: GroupRole
  /** Null: the group is to give none any more. */
  role: RoleByGroup | null
}

export function GroupRolesCard() {
  const { groupRoles: words, signInRule } = usePeopleWords()
  const { roles } = useRoleWords()
  const provider = useProvider()?.name ?? signInRule.provider
  const read = useQuery({ queryKey: GROUP_ROLES_READ, queryFn: api.groupRoles })
  const asking = useOpened<Choice>()
  if (read.data === undefined) return <Failure error={read.error} onRetry={() => read.refetch()} />
  const { is_offered, data: rows } = read.data
  if (!is_offered && rows.length === 0) return null
  return (
    <Card withBorder padding="lg" component="section" aria-label={words.title}>
      <Stack gap="md">
        <CardHead title={words.title} text={words.text(provider)} />
        {!is_offered && <Text>{words.notOffered(provider)}</Text>}
        {rows.length === 0 ? (
          <Text c="dimmed">{words.none}</Text>
        ) : (
          <ul className="group-roles">
            {rows.map((row) => (
              <Row key={row.group} row={row} mayChange={is_offered} onAsk={(role) => asking.open({ row, role })} />
            ))}
          </ul>
        )}
        {rows.length > 1 && (
          <Text size="sm" c="dimmed">
            {words.several(rolesByGroup.map((role) => roles[role][0]).join(', '))}
          </Text>
        )}
        {is_offered && <Adding rows={rows} provider={provider} />}
      </Stack>
      <AskGroup chosen={asking.opened} provider={provider} onClose={asking.closing(asking.opened)} />
    </Card>
  )
}

interface RowProps {
  row: GroupRole
  /** Where the provider is not asked for groups, they can only be removed. */
  mayChange: boolean
  onAsk: (role: RoleByGroup | null) => void
}

function Row({ row: { group, role, created_at, people }, mayChange, onAsk }: RowProps) {
  const { groupRoles: words } = usePeopleWords()
  const { roles } = useRoleWords()
  const times = useTimes()
  return (
    <li>
      <div className="group-role">
        <GroupName group={group} />
        <Text size="sm" c="dimmed">
          {words.people(people)} {words.since(times.moment(created_at))}
        </Text>
      </div>
      <Group gap="sm">
        {mayChange ? (
          <GroupRoleSelect name={{ 'aria-label': words.roleOf(group) }} role={role} onChange={onAsk} />
        ) : (
          <Text size="sm">{roles[role][0]}</Text>
        )}
        <Button variant="default" aria-label={words.removeOf(group)} onClick={() => onAsk(null)}>
          {words.remove}
        </Button>
      </Group>
    </li>
  )
}

function GroupName({ group }: { group: string }) {
  return (
    <Text fw={600} className="broken-anywhere">
      <bdi>{group}</bdi>
    </Text>
  )
}

function Adding({ rows, provider }: { rows: readonly GroupRole[]; provider: string }) {
  const { groupRoles: words } = usePeopleWords()
  if (rows.length >= GROUP_ROLES.most) return <Text size="sm">{words.full(GROUP_ROLES.most)}</Text>
  return <AddGroup groups={rows.map(({ group }) => group)} provider={provider} />
}

interface AskGroupProps {
  /** Null: the dialog is closed. */
  chosen: Choice | null
  provider: string
  onClose: () => void
}

function AskGroup({ chosen, provider, onClose }: AskGroupProps) {
  const { changing, removing, people, conflict } = usePeopleWords().groupRoles
  const { roles } = useRoleWords()
  const client = useQueryClient()
  const role = chosen?.role ?? null
  const { text, submit } = role === null ? removing : changing
  const title = role === null ? removing.title : changing.title(roles[role][0])
  const set = async () => {
    try {
      if (chosen !== null) await api.setGroupRole({ group: chosen.row.group, role, known: { role: chosen.row.role } })
    } finally {
      await client.invalidateQueries({ queryKey: PEOPLE })
    }
  }
  return (
    <AskFirst title={chosen && title} submit={submit} conflict={conflict(provider)} act={set} onClose={onClose}>
      {chosen && (
        <div>
          <GroupName group={chosen.row.group} />
          <Text size="sm">{people(chosen.row.people)}</Text>
        </div>
      )}
      <Text>{text}</Text>
    </AskFirst>
  )
}
