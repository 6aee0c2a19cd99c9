// The integrations that read the data of most patients today.

import type { Integration } from '@clinic-data/console-parts/api'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Card, Table, Text, Title } from '@mantine/core'
import { IntegrationName } from '../belonging/integration-name.tsx'

const MOST = 5

export function Readers({ integrations }: { integrations: readonly Integration[] }) {
  const { readers: words } = useIntegrationWords().home
  const readers = integrations
    .filter(({ patients_read_today }) => patients_read_today > 0)
    .sort((a, b) => b.patients_read_today - a.patients_read_today)
    .slice(0, MOST)
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {words.title}
      </Title>
      <Card withBorder padding={readers.length === 0 ? 'lg' : 0}>
        {readers.length === 0 ? (
          <Text c="dimmed">{words.none}</Text>
        ) : (
          <Table className="access" aria-label={words.title}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.columns.name}</Table.Th>
                <Table.Th>{words.columns.patients}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {readers.map((one) => (
                <Table.Tr key={one.id} data-open>
                  <Table.Th scope="row">
                    <IntegrationName of={one} />
                  </Table.Th>
                  <Table.Td>{words.number(one.patients_read_today)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Card>
    </section>
  )
}
