// The list of what happened, latest first, with everything it may have to say: nothing, searching, failed, more.

import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Group, Loader, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { PlaceLink } from '../places.tsx'
import { LogRow } from './log-row.tsx'
import { EVERYTHING, type Filters, useActivity } from './use-activity.ts'

export function Log({ filters }: { filters: Filters }) {
  const { activity } = useWords()
  const times = useTimes()
  const { listed, rows, searchedUntil, recordsOnlyUntil, isSearching, more } = useActivity(filters)
  const isEmpty = rows.length === 0 && listed.data !== undefined && !listed.hasNextPage
  return (
    <Stack gap="md">
      {listed.data === undefined && !listed.error && <Skeleton height={320} radius="md" aria-hidden="true" />}
      {rows.length > 0 && (
        <Card withBorder padding={0}>
          <Table className="log" aria-label={activity.list} verticalSpacing="sm">
            <Columns />
            <Table.Tbody>
              {rows.map((row) => (
                <LogRow key={row.id} row={row} when={times.exact(row.at)} filters={filters} />
              ))}
            </Table.Tbody>
          </Table>
        </Card>
      )}
      {isEmpty && <Nothing filters={filters} />}
      <Failure
        error={listed.error}
        onRetry={() => (listed.isFetchNextPageError ? listed.fetchNextPage() : listed.refetch())}
      />
      <Group justify="center" gap="md" mih={36} aria-live="polite">
        {searchedUntil !== null && <Searched until={searchedUntil} isSearching={isSearching} />}
        {listed.hasNextPage && !isSearching && !listed.isFetchNextPageError && (
          <Button variant="default" onClick={more} loading={listed.isFetchingNextPage}>
            {searchedUntil === null ? activity.more : activity.searchOn}
          </Button>
        )}
      </Group>
      {recordsOnlyUntil !== undefined && (
        <Text size="sm" c="dimmed" ta="center">
          {activity.recordsOnly(times.moment(recordsOnlyUntil))}
        </Text>
      )}
      {listed.data !== undefined && filters.to === undefined && (
        <Text size="xs" c="dimmed" ta="center">
          {activity.live}
        </Text>
      )}
    </Stack>
  )
}

function Columns() {
  const { columns } = useWords().activity
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{columns.when}</Table.Th>
        <Table.Th>{columns.who}</Table.Th>
        <Table.Th>{columns.what}</Table.Th>
        <Table.Th>{columns.resources}</Table.Th>
        <Table.Th>{columns.result}</Table.Th>
        <Table.Th>
          <span className="unseen">{columns.details}</span>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}

function Searched({ until, isSearching }: { until: string; isSearching: boolean }) {
  const { activity } = useWords()
  const times = useTimes()
  return (
    <Group gap="xs">
      {isSearching && <Loader size={16} aria-hidden="true" />}
      <Text size="sm" c="dimmed">
        {(isSearching ? activity.searching : activity.searched)(times.moment(until))}
      </Text>
    </Group>
  )
}

function Nothing({ filters }: { filters: Filters }) {
  const { activity } = useWords()
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Card withBorder>
      <Stack gap={4} align="center" ta="center" py={40}>
        <Title order={2} size="h4">
          {isFiltered ? activity.none : activity.empty}
        </Title>
        <Text c="dimmed">{isFiltered ? activity.noneText : activity.emptyText}</Text>
        {filters.surface === undefined && (
          <PlaceLink to="activity" search={`?${new URLSearchParams({ ...filters, surface: EVERYTHING })}`}>
            {activity.withConsole}
          </PlaceLink>
        )}
      </Stack>
    </Card>
  )
}
