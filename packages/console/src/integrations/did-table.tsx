// Shows what an integration did today and in thirty days, and how near it came to its limit.

import type { IntegrationPage, IntegrationUse } from '@clinic-data/console-parts/api'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Card, Table, Title } from '@mantine/core'

const FIGURES = ['patients_read', 'requests', 'changes', 'refusals', 'delivered', 'failed_attempts'] as const

export function DidTable({ integration: { today, month } }: { integration: IntegrationPage }) {
  const { did: words, number } = useIntegrationWords().integrations
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {words.title}
      </Title>
      <Card withBorder padding={0}>
        <Table className="access" aria-label={words.title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>
                <span className="unseen">{words.figure}</span>
              </Table.Th>
              <Table.Th>{words.today}</Table.Th>
              <Table.Th>{words.month}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {FIGURES.map((name) => (
              <Table.Tr key={name} data-open>
                <Table.Th scope="row">{words.figures[name]}</Table.Th>
                <Table.Td>{number(today[name])}</Table.Td>
                <Table.Td>{number(month[name])}</Table.Td>
              </Table.Tr>
            ))}
            <Table.Tr data-open>
              <Table.Th scope="row">{words.busiest}</Table.Th>
              <Table.Td>
                <Busiest use={today} />
              </Table.Td>
              <Table.Td>
                <Busiest use={month} />
              </Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Card>
    </section>
  )
}

function Busiest({ use: { busiest } }: { use: IntegrationUse }) {
  const { did } = useIntegrationWords().integrations
  return busiest === null ? '–' : did.ofLimit(busiest.requests, busiest.rate_limit)
}
