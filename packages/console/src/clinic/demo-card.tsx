// In the demo clinic alone: buttons that let something happen, and the events that follow, live. An event's body holds a patient's data
// and is not shown.

import { api, type BodyOf } from '@clinic-data/console-parts/api'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Code, Group, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

const EVENTS = ['demo-events'] as const
const EVERY_MS = 2_000
const ACTIONS: readonly BodyOf<'actInDemo'>['action'][] = ['appointment', 'call', 'message']

export function DemoCard() {
  const { clinic } = useWords()
  const client = useQueryClient()
  const act = useMutation({
    mutationFn: api.actInDemo,
    onSettled: () => client.invalidateQueries({ queryKey: EVENTS }),
  })
  return (
    <Card withBorder padding={0} component="section" aria-label={clinic.demo}>
      <div className="clinic-head">
        <CardHead title={clinic.demo} text={clinic.demoText} mb="md" />
        <Group gap="sm">
          {ACTIONS.map((action) => (
            <Button
              key={action}
              variant="default"
              loading={act.isPending && act.variables === action}
              disabled={act.isPending}
              onClick={() => act.mutate(action)}
            >
              {clinic.actions[action]}
            </Button>
          ))}
        </Group>
        <Failure error={act.error} />
      </div>
      <Events />
    </Card>
  )
}

function Events() {
  const { clinic } = useWords()
  const times = useTimes()
  const events = useQuery({ queryKey: EVENTS, queryFn: api.watchDemo, refetchInterval: EVERY_MS })
  if (!events.data) return <Failure error={events.error} onRetry={() => events.refetch()} />
  if (events.data.length === 0) {
    return (
      <Text c="dimmed" px="lg" pb="lg">
        {clinic.noEvents}
      </Text>
    )
  }
  return (
    <Table className="clinic-table stacked demo-events" verticalSpacing="xs" aria-label={clinic.events}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{clinic.eventColumns.type}</Table.Th>
          <Table.Th>{clinic.eventColumns.time}</Table.Th>
          <Table.Th>{clinic.eventColumns.id}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {events.data.map(({ id, type, created_at }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Code dir="ltr">{type}</Code>
            </Table.Td>
            <Table.Td>{times.moment(created_at)}</Table.Td>
            <Table.Td>
              <bdi dir="ltr" className="clinic-id">
                {id}
              </bdi>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
