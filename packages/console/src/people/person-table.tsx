// The list of people: a table, and on a narrow screen one card for each.

import type { Person } from '@clinic-data/console-parts/api'
import { useSession } from '@clinic-data/console-parts/session'
import { DotsIcon } from '@clinic-data/console-parts/shown/icons'
import { RowMenu } from '@clinic-data/console-parts/shown/row-menu'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { ActionIcon, Badge, Menu, Table, Text } from '@mantine/core'

/** Each has its dialog. */
export type PersonAction = 'role' | 'sessions' | 'pairings' | 'apps' | 'disable' | 'remove'

interface PersonTableProps {
  people: readonly Person[]
  onAct: (action: PersonAction, person: Person) => void
}

export function PersonTable({ people, onAct }: PersonTableProps) {
  const { people: words } = usePeopleWords()
  const { columns } = words
  return (
    <Table className="keys" aria-label={words.title} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.person}</Table.Th>
          <Table.Th>{columns.role}</Table.Th>
          <Table.Th>{columns.seen}</Table.Th>
          <Table.Th>{columns.ways}</Table.Th>
          <Table.Th>
            <span className="unseen">{columns.actions}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {people.map((person) => (
          <Row key={person.id} person={person} onAct={onAct} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface RowProps {
  person: Person
  onAct: PersonTableProps['onAct']
}

function Row({ person, onAct }: RowProps) {
  const { people: words } = usePeopleWords()
  const { roles } = useRoleWords()
  const { administrator } = useSession()
  const times = useTimes()
  const { columns } = words
  const { id, name, email, role, role_group, group_ended_at, last_seen_at, disabled_at } = person
  return (
    <Table.Tr data-state={disabled_at === null ? 'active' : 'disabled'}>
      <Table.Td data-name="name">
        <span className="key-name">
          <bdi>{name}</bdi>
        </span>
        {id === administrator.id && <Mark>{words.you}</Mark>}
        {disabled_at !== null && <Mark>{words.disabled}</Mark>}
        <Text size="xs" c="dimmed" className="broken-anywhere">
          <bdi dir="ltr">{email}</bdi>
        </Text>
      </Table.Td>
      <Table.Td data-label={columns.role}>
        <div className="person-fact">
          {group_ended_at === null ? roles[role][0] : words.noRole}
          {role_group !== null && (
            <Text size="xs" c="dimmed" className="broken-anywhere">
              {group_ended_at === null ? words.byGroup : words.noLongerByGroup} <bdi>{role_group}</bdi>
            </Text>
          )}
          {group_ended_at !== null && (
            <Text size="xs" c="dimmed">
              {words.since(times.moment(group_ended_at))}
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td data-label={columns.seen}>{last_seen_at === null ? words.never : times.moment(last_seen_at)}</Table.Td>
      <Table.Td data-label={columns.ways}>{disabled_at === null ? <Ways person={person} /> : '–'}</Table.Td>
      <Table.Td data-name="actions">
        <Actions person={person} onAct={onAct} />
      </Table.Td>
    </Table.Tr>
  )
}

function Mark({ children }: { children: string }) {
  return (
    <Badge variant="default" size="sm" tt="none" fw={500}>
      {children}
    </Badge>
  )
}

function Ways({ person }: { person: Person }) {
  const { people: words } = usePeopleWords()
  const { locale } = useWords()
  const times = useTimes()
  const { password, passkeys, provider, pairings } = person.ways_in
  const ways = [
    password && words.ways.password,
    passkeys > 0 && words.ways.passkey,
    provider && words.ways.provider,
    pairings.length > 0 && words.ways.pairings(pairings.length),
  ].filter((way) => way !== false)
  return (
    <div className="person-fact">
      {ways.length === 0 ? words.ways.none : new Intl.ListFormat(locale).format(ways)}
      {pairings.map(({ created_at }) => (
        <Text key={created_at} size="xs" c="dimmed">
          {words.ways.pairedSince(times.moment(created_at))}
        </Text>
      ))}
    </div>
  )
}

function Actions({ person, onAct }: RowProps) {
  const { people: words } = usePeopleWords()
  const act = (action: PersonAction) => () => onAct(action, person)
  return (
    <RowMenu
      button={
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.actionsOf(person.name)}>
          <DotsIcon />
        </ActionIcon>
      }
    >
      {person.disabled_at === null && (
        <>
          <Menu.Item onClick={act('role')}>{words.changeRole}</Menu.Item>
          <Menu.Item onClick={act('sessions')}>{words.sessions}</Menu.Item>
          {person.ways_in.pairings.length > 0 && <Menu.Item onClick={act('pairings')}>{words.endPairings}</Menu.Item>}
          {person.connections > 0 && <Menu.Item onClick={act('apps')}>{words.endApps}</Menu.Item>}
          <Menu.Item onClick={act('disable')}>{words.disable}</Menu.Item>
        </>
      )}
      <Menu.Item c="var(--mantine-color-error)" onClick={act('remove')}>
        {words.remove}
      </Menu.Item>
    </RowMenu>
  )
}
