// The list of keys: a table, and on a narrow screen one card for each.

import { useSession } from '@clinic-data/console-parts/session'
import { Folded } from '@clinic-data/console-parts/shown/folded'
import { DotsIcon } from '@clinic-data/console-parts/shown/icons'
import { RowMenu } from '@clinic-data/console-parts/shown/row-menu'
import { useRows } from '@clinic-data/console-parts/shown/use-rows'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { ActionIcon, Badge, Code, Menu, Table, Text } from '@mantine/core'
import { Belonging } from '../belonging/integration-name.tsx'
import { PlaceLink } from '../places.tsx'
import { isBeyond, type ListedKey, maskedKey, searchOf } from './key-state.ts'
import { ScopeList } from './scope-text.tsx'

export interface KeyActions {
  onRotate: (key: ListedKey) => void
  onRevoke: (key: ListedKey) => void
}

export function KeyTable({ keys, label, ...actions }: { keys: readonly ListedKey[]; label: string } & KeyActions) {
  const { columns } = useWords().keys
  const rows = useRows(keys)
  return (
    <Table className="keys" aria-label={label} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.name}</Table.Th>
          <Table.Th>{columns.key}</Table.Th>
          <Table.Th>{columns.used}</Table.Th>
          <Table.Th>{columns.requests}</Table.Th>
          <Table.Th>{columns.made}</Table.Th>
          <Table.Th>
            <span className="unseen">{columns.actions}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((key) => (
          <Row key={key.id} row={key} {...actions} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Row({ row, ...actions }: { row: ListedKey } & KeyActions) {
  const { keys } = useWords()
  const times = useTimes()
  const { columns } = keys
  const { name, scopes, created_at, made_by, last_used_at, requests_24h, state } = row
  const hasEnded = state === 'revoked' || state === 'expired'
  return (
    <Table.Tr data-state={state}>
      <Table.Td data-name="name">
        <span className="key-name">
          <PlaceLink to="keys" search={searchOf(row.id)}>
            <bdi>{name}</bdi>
          </PlaceLink>
        </span>
        <Ending row={row} />
        <Belonging to={row.integration} />
        <Folded className="may" summary={keys.permissions(scopes.length)}>
          <ScopeList scopes={scopes} />
        </Folded>
      </Table.Td>
      <Table.Td data-label={columns.key}>
        <Code dir="ltr">{maskedKey(row)}</Code>
      </Table.Td>
      <Table.Td data-label={columns.used}>{last_used_at === null ? keys.never : times.moment(last_used_at)}</Table.Td>
      <Table.Td data-label={columns.requests}>{keys.requests(requests_24h)}</Table.Td>
      <Table.Td data-label={columns.made}>
        {keys.madeBy(times.day(created_at), made_by?.name ?? keys.operator)}
      </Table.Td>
      <Table.Td data-name="actions">{!hasEnded && <Actions row={row} {...actions} />}</Table.Td>
    </Table.Tr>
  )
}

/** How a key ended, or will. */
function Ending({ row }: { row: ListedKey }) {
  const { state, expires_at } = row
  const { keys } = useWords()
  const { longest_life_days } = useSession()
  const times = useTimes()
  return (
    <>
      {state !== 'active' && (
        <Badge variant="default" size="sm" tt="none" fw={500}>
          {keys.state[state]}
        </Badge>
      )}
      {expires_at !== null && state !== 'revoked' && state !== 'expired' && (
        <Text size="xs" c="dimmed">
          {keys.expires(times.moment(expires_at))}
        </Text>
      )}
      {longest_life_days !== null && isBeyond(row, longest_life_days, Date.now()) && (
        <Text size="xs" c="var(--console-warning)">
          {keys.beyond(longest_life_days)}
        </Text>
      )}
    </>
  )
}

function Actions({ row, onRotate, onRevoke }: { row: ListedKey } & KeyActions) {
  const { keys } = useWords()
  return (
    <RowMenu
      button={
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={keys.actionsOf(row.name)}>
          <DotsIcon />
        </ActionIcon>
      }
    >
      {row.state === 'active' && <Menu.Item onClick={() => onRotate(row)}>{keys.rotate}</Menu.Item>}
      <Menu.Item c="var(--mantine-color-error)" onClick={() => onRevoke(row)}>
        {keys.revoke}
      </Menu.Item>
    </RowMenu>
  )
}
