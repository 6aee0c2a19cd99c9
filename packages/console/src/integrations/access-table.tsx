// Shows what an integration may do, as a table: each kind of data, and in words what is open of it.

import type { IntegrationPage } from '@clinic-data/console-parts/api'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Card, Table, Text, Title } from '@mantine/core'
import type { Subscription } from '../webhooks/subscriptions.ts'
import { type Access, accessOf } from './access.ts'

interface AccessTableProps {
  may: IntegrationPage['may']
  webhooks: readonly Subscription[]
  isStopped: boolean
}

export function AccessTable({ may, webhooks, isStopped }: AccessTableProps) {
  const { may: words, resources } = useIntegrationWords().integrations
  const all = accessOf(may, webhooks)
  const readsLeadFigures =
    all.some(({ resource, reads }) => resource === 'analytics' && reads) &&
    all.some(({ resource, writes }) => resource === 'leads' && writes)
  return (
    <section>
      <Title order={2} size="h5">
        {words.title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {isStopped ? words.whileStopped : words.text}
      </Text>
      <Card withBorder padding={0}>
        <Table className="access" aria-label={words.title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.columns.resource}</Table.Th>
              <Table.Th>{words.columns.access}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {all.map((one) => (
              <Table.Tr key={one.resource} data-open={isOpen(one) || undefined}>
                <Table.Th scope="row">{resources[one.resource] ?? one.resource}</Table.Th>
                <Table.Td>
                  <Ways access={one} />
                  {one.resource === 'leads' && readsLeadFigures && <> {words.leadFigures}</>}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Card>
    </section>
  )
}

const isOpen = ({ reads, writes, isSent, maySubscribe }: Access) => reads || writes || isSent || maySubscribe

function Ways({ access }: { access: Access }) {
  const { may: words } = useIntegrationWords().integrations
  const { resource, reads, writes, isSent, maySubscribe } = access
  const changes = words.writes[resource] ?? words.write
  const ways = [
    reads && words.read,
    // Whoever makes webhooks sees them.
    writes && (reads || resource === 'webhooks' ? changes : words.only(changes)),
    isSent && words.sent,
    // It may read these anyway.
    maySubscribe && !reads && !isSent && words.maySubscribe,
  ].filter((way) => way !== false)
  return ways.length === 0 ? words.none : ways.join(' · ')
}
