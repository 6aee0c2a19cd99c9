// One connection: what it may do, what it did last and from where, and the ways to change and end it.

import { api, type ConnectionUse } from '@clinic-data/console-parts/api'
import { CONNECTIONS } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { Addresses } from '@clinic-data/console-parts/shown/addresses'
import { Fact } from '@clinic-data/console-parts/shown/fact'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { useTimes } from '@clinic-data/console-parts/times'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { useOperationWords } from '@clinic-data/console-words/operation-words'
import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IntegrationName } from '../belonging/integration-name.tsx'
import { Reach } from '../consent/reach.tsx'
import { KnownNetworks } from '../keys/networks-field.tsx'
import { ScopeList } from '../keys/scope-text.tsx'
import { PlaceLink } from '../places.tsx'
import { useOpenPlaces } from '../roles.ts'
import { AppName } from './app-name.tsx'
import { isOpen } from './connection-state.ts'
import type { ConnectionActions } from './connection-table.tsx'
import { Ending } from './ending.tsx'

const WATCH_MS = 15_000

export function ConnectionView({ id, ...actions }: { id: string } & ConnectionActions) {
  const { connections: words } = useAppWords()
  const client = useQueryClient()
  const queryKey = [...CONNECTIONS, id]
  const read = useQuery({
    queryKey,
    queryFn: () => api.connection(id, client.getQueryData(queryKey) !== undefined),
    refetchInterval: WATCH_MS,
  })
  const back = <PlaceLink to="connections">{words.back}</PlaceLink>
  if (read.data !== undefined) {
    return (
      <>
        {back}
        <Shown connection={read.data} readAt={read.dataUpdatedAt} {...actions} />
      </>
    )
  }
  return (
    <>
      {back}
      <Heading title={words.title} />
      {!read.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
      {hasStatus(read.error, 404) ? (
        <Refused text={words.gone} />
      ) : (
        <Failure error={read.error} onRetry={() => read.refetch()} />
      )}
    </>
  )
}

interface ShownProps extends ConnectionActions {
  connection: ConnectionUse
  readAt: number
}

function Shown({ connection, readAt, onChange, onEnd }: ShownProps) {
  const { connections: words } = useAppWords()
  const { mayOpen } = useOpenPlaces()
  const actions = (
    <Group gap="sm">
      <Button variant="default" onClick={() => onChange(connection)}>
        {words.change}
      </Button>
      <Button color="red" onClick={() => onEnd(connection)}>
        {words.end}
      </Button>
    </Group>
  )
  return (
    <>
      <Heading title={connection.app.name} action={isOpen(connection, readAt) && actions} />
      <Card withBorder padding="lg">
        <Stack gap="lg">
          <Facts connection={connection} />
          <div>
            <Title order={2} size="h5" mb={4}>
              {words.may}
            </Title>
            <div className="may">
              <ScopeList scopes={connection.scopes} />
            </div>
            <Text size="sm" c="dimmed" mt="xs">
              <Reach audience={connection.audience} />
            </Text>
          </div>
        </Stack>
      </Card>
      <Addresses addresses={connection.addresses} />
      {mayOpen('activity') && (
        <PlaceLink to="activity" search={`?${new URLSearchParams({ actor: connection.id })}`}>
          {words.activity}
        </PlaceLink>
      )}
    </>
  )
}

function Facts({ connection }: { connection: ConnectionUse }) {
  const { keys } = useWords()
  const operations = useOperationWords()
  const { connections: words } = useAppWords()
  const times = useTimes()
  const { keyPage } = useIntegrationWords()
  const { columns } = words
  const { last_read, last_used_at, connected_at, connected_by, connected_from, requests_24h, rate_limit } = connection
  const operation = last_read && (operations[last_read.operation as keyof typeof operations] ?? last_read.operation)
  return (
    <dl className="connection-facts">
      <Fact name={columns.app}>
        <AppName app={connection.app} />
      </Fact>
      {connection.integration && (
        <Fact name={keyPage.integration}>
          <IntegrationName of={connection.integration} />
        </Fact>
      )}
      <Fact name={columns.connected}>
        {times.moment(connected_at)}, {words.by} <bdi>{connected_by.name}</bdi>
        {connection.place !== null && `, ${words.places[connection.place]}`}
      </Fact>
      {connected_from !== null && (
        <Fact name={words.from}>
          <bdi dir="ltr">{connected_from}</bdi>
        </Fact>
      )}
      <Fact name={connection.ended_at === null ? columns.until : columns.ended}>
        <Ending connection={connection} />
      </Fact>
      <Fact name={keyPage.networks}>
        <KnownNetworks networks={connection.networks} />
      </Fact>
      <Fact name={columns.used}>{last_used_at === null ? keys.never : times.moment(last_used_at)}</Fact>
      <Fact name={columns.requests}>{keys.requests(requests_24h)}</Fact>
      <Fact name={words.lastRead}>
        {last_read === null ? keys.never : words.read(String(operation), last_read.count, times.moment(last_read.at))}
      </Fact>
      {rate_limit !== null && <Fact name={words.limit}>{words.aMinute(rate_limit)}</Fact>}
    </dl>
  )
}
