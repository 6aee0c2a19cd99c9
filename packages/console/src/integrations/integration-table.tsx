// The list of integrations: a table, and on a narrow screen one card for each.

import type { Integration } from '@clinic-data/console-parts/api'
import { useRows } from '@clinic-data/console-parts/shown/use-rows'
import { useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Table } from '@mantine/core'
import { IntegrationName } from '../belonging/integration-name.tsx'
import { IntegrationBadge } from './integration-badge.tsx'

export function IntegrationTable({ integrations }: { integrations: readonly Integration[] }) {
  const { integrations: words } = useIntegrationWords()
  const rows = useRows(integrations)
  const { columns } = words
  return (
    <Table className="keys" aria-label={words.title} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.name}</Table.Th>
          <Table.Th>{columns.state}</Table.Th>
          <Table.Th>{columns.used}</Table.Th>
          <Table.Th>{columns.patients}</Table.Th>
          <Table.Th>{columns.webhooks}</Table.Th>
          <Table.Th>{columns.holds}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((integration) => (
          <Row key={integration.id} row={integration} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Row({ row }: { row: Integration }) {
  const { integrations: words } = useIntegrationWords()
  const { columns } = words
  const times = useTimes()
  return (
    <Table.Tr>
      <Table.Td data-name="name">
        <span className="key-name">
          <IntegrationName of={row} />
        </span>
      </Table.Td>
      <Table.Td data-label={columns.state}>
        <IntegrationBadge integration={row} />
      </Table.Td>
      <Table.Td data-label={columns.used}>
        {row.last_used_at === null ? words.never : times.moment(row.last_used_at)}
      </Table.Td>
      <Table.Td data-label={columns.patients}>{words.number(row.patients_read_today)}</Table.Td>
      <Table.Td data-label={columns.webhooks}>
        {row.webhooks === 0 ? words.none : words.webhooksOf(row.webhooks, row.failing_webhooks)}
      </Table.Td>
      <Table.Td data-label={columns.holds}>{words.holds(row.keys, row.connections)}</Table.Td>
    </Table.Tr>
  )
}
