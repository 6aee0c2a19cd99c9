// The list of connections: a table, and on a narrow screen one card for each.

import type { Connection } from '@clinic-data/console-parts/api'
import { Folded } from '@clinic-data/console-parts/shown/folded'
import { DotsIcon } from '@clinic-data/console-parts/shown/icons'
import { RowMenu } from '@clinic-data/console-parts/shown/row-menu'
import { useRows } from '@clinic-data/console-parts/shown/use-rows'
import { useTimes } from '@clinic-data/console-parts/times'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useWords } from '@clinic-data/console-words/language'
import { ActionIcon, Menu, Table } from '@mantine/core'
import { Belonging } from '../belonging/integration-name.tsx'
import { ScopeList } from '../keys/scope-text.tsx'
import { PlaceLink } from '../places.tsx'
import { AppName } from './app-name.tsx'
import { searchOf } from './connection-state.ts'
import { Ending } from './ending.tsx'

export interface ConnectionActions {
  onChange: (connection: Connection) => void
  onEnd: (connection: Connection) => void
}

interface TableProps extends ConnectionActions {
  connections: readonly Connection[]
  label: string
  areEnded?: boolean
}

export function ConnectionTable({ connections, label, areEnded = false, ...actions }: TableProps) {
  const words = useAppWords().connections
  const { columns } = words
  const rows = useRows(connections)
  return (
    <Table className="keys" aria-label={label} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.app}</Table.Th>
          <Table.Th>{columns.used}</Table.Th>
          <Table.Th>{columns.requests}</Table.Th>
          <Table.Th>{columns.connected}</Table.Th>
          <Table.Th>{areEnded ? columns.ended : columns.until}</Table.Th>
          <Table.Th>
            <span className="unseen">{columns.actions}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((connection) => (
          <Row key={connection.id} row={connection} areEnded={areEnded} {...actions} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Row({ row, areEnded, ...actions }: { row: Connection; areEnded: boolean } & ConnectionActions) {
  const { keys } = useWords()
  const { connections } = useAppWords()
  const times = useTimes()
  const { columns } = connections
  const { app, scopes, connected_at, connected_by, last_used_at, requests_24h, place } = row
  return (
    <Table.Tr>
      <Table.Td data-name="name">
        <AppName app={app}>
          <PlaceLink to="connections" search={searchOf(row.id)}>
            <bdi>{app.name}</bdi>
          </PlaceLink>
        </AppName>
        <Belonging to={row.integration} />
        <Folded className="may" summary={keys.permissions(scopes.length)}>
          <ScopeList scopes={scopes} />
        </Folded>
      </Table.Td>
      <Table.Td data-label={columns.used}>{last_used_at === null ? keys.never : times.moment(last_used_at)}</Table.Td>
      <Table.Td data-label={columns.requests}>{keys.requests(requests_24h)}</Table.Td>
      <Table.Td data-label={columns.connected}>
        <span>
          {times.day(connected_at)}, {connections.by} <bdi>{connected_by.name}</bdi>
          {(place === 'computer' || place === 'device') && `, ${connections.places[place]}`}
        </span>
      </Table.Td>
      <Table.Td data-label={areEnded ? columns.ended : columns.until}>
        <div>
          <Ending connection={row} />
        </div>
      </Table.Td>
      <Table.Td data-name="actions">{!areEnded && <Actions row={row} {...actions} />}</Table.Td>
    </Table.Tr>
  )
}

function Actions({ row, onChange, onEnd }: { row: Connection } & ConnectionActions) {
  const { keys } = useWords()
  const { connections } = useAppWords()
  return (
    <RowMenu
      button={
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={keys.actionsOf(row.app.name)}>
          <DotsIcon />
        </ActionIcon>
      }
    >
      <Menu.Item onClick={() => onChange(row)}>{connections.change}</Menu.Item>
      <Menu.Item c="var(--mantine-color-error)" onClick={() => onEnd(row)}>
        {connections.end}
      </Menu.Item>
    </RowMenu>
  )
}
