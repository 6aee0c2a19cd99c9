// The invitations that nobody has accepted yet.

import type { Invitation } from '@clinic-data/console-parts/api'
import { useTimes } from '@clinic-data/console-parts/times'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { Button, Table, Text } from '@mantine/core'

interface InvitationTableProps {
  invitations: readonly Invitation[]
  onWithdraw: (invitation: Invitation) => void
}

export function InvitationTable({ invitations, onWithdraw }: InvitationTableProps) {
  const { people } = usePeopleWords()
  const { roles } = useRoleWords()
  const times = useTimes()
  const { columns } = people
  const { title, withdraw, withdrawOf } = people.invitations
  return (
    <Table className="keys" aria-label={title} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.person}</Table.Th>
          <Table.Th>{columns.role}</Table.Th>
          <Table.Th>{columns.until}</Table.Th>
          <Table.Th>{columns.invitedBy}</Table.Th>
          <Table.Th>
            <span className="unseen">{columns.actions}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invitations.map((one) => (
          <Table.Tr key={one.id}>
            <Table.Td data-name="name">
              <span className="key-name">
                <bdi>{one.name}</bdi>
              </span>
              <Text size="xs" c="dimmed" className="broken-anywhere">
                <bdi dir="ltr">{one.email}</bdi>
              </Text>
            </Table.Td>
            <Table.Td data-label={columns.role}>{roles[one.role][0]}</Table.Td>
            <Table.Td data-label={columns.until}>{times.moment(one.expires_at)}</Table.Td>
            <Table.Td data-label={columns.invitedBy}>
              <bdi>{one.made_by.name}</bdi>
            </Table.Td>
            <Table.Td ta="end">
              <Button size="xs" variant="default" aria-label={withdrawOf(one.name)} onClick={() => onWithdraw(one)}>
                {withdraw}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
