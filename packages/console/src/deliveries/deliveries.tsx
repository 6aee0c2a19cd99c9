// The deliveries of a subscription: the list, and the one that is open.

import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { memo } from 'react'
import { RecordLink } from '../belonging/record-link.tsx'
import { linkTo, type Search, useSearch } from '../places.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DeliveryFilters, filtersOf } from './delivery-filters.tsx'
import { failureWords } from './failure-words.ts'
import { StatusBadge } from './status-badge.tsx'
import { type Delivery, isSearch, useDeliveries } from './use-deliveries.ts'

export function Deliveries({ id }: { id: string }) {
  const words = useWords().webhooks
  const [search, setSearch] = useSearch()
  const filters = filtersOf(search, words.types)
  const { listed, rows, fresh, show, shown, isSearching } = useDeliveries(id, filters, search.delivery)
  const close = () => setSearch({ ...search, delivery: undefined })
  return (
    <Stack gap="md">
      <div>
        <Title order={2} size="h4">
          {words.deliveries.title}
        </Title>
        <Text size="sm" c="dimmed">
          {isSearch(filters) ? words.deliveries.searched : words.deliveries.live}
        </Text>
      </div>
      <DeliveryFilters />
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
      {listed.isPending && !listed.error && <Skeleton height={240} radius="md" aria-hidden="true" />}
      {fresh > 0 && (
        <Button className="fresh" size="xs" onClick={show}>
          {words.deliveries.fresh(fresh)}
        </Button>
      )}
      {isSearching && (
        <Text size="sm" c="dimmed" role="status">
          {words.deliveries.searching}
        </Text>
      )}
      {listed.data && (rows.length > 0 || !isSearching) && (
        <Listed rows={rows} search={addressOf(search)} isFiltered={Object.keys(filters).length > 0} />
      )}
      {search.record && (
        <RecordLink record={search.record}>{rows.length === 0 ? words.record.why : words.record.whoElse}</RecordLink>
      )}
      {listed.hasNextPage && !isSearching && (
        <Group justify="center">
          <Button variant="default" loading={listed.isFetchingNextPage} onClick={() => listed.fetchNextPage()}>
            {words.deliveries.more}
          </Button>
        </Group>
      )}
      <DeliveryDialog webhookId={id} deliveryId={search.delivery} now={shown} onClose={close} />
    </Stack>
  )
}

/** The search of the page itself, without the delivery that is open. */
function addressOf({ delivery: _, ...search }: Search): string {
  return new URLSearchParams(Object.entries(search) as [string, string][]).toString()
}

function Listed({ rows, search, isFiltered }: { rows: readonly Delivery[]; search: string; isFiltered: boolean }) {
  const { deliveries } = useWords().webhooks
  if (rows.length > 0) {
    return (
      <Card withBorder padding={0}>
        <ul className="deliveries">
          {rows.map((row) => (
            <li key={row.id}>
              <Row row={row} search={search} />
            </li>
          ))}
        </ul>
      </Card>
    )
  }
  return (
    <Card withBorder padding={0}>
      <Stack gap={4} align="center" ta="center" px="md" py={40}>
        <Text fw={600}>{isFiltered ? deliveries.emptyFiltered : deliveries.empty}</Text>
        {!isFiltered && <Text c="dimmed">{deliveries.emptyText}</Text>}
      </Stack>
    </Card>
  )
}

/** Drawn again only when it has changed, and of plain elements: a page of many rows is drawn at once. */
const Row = memo(function Row({ row, search }: { row: Delivery; search: string }) {
  const words = useWords().webhooks
  const times = useTimes()
  const { deliveries, failures, types } = words
  const { error, status, attempt_count, next_attempt_at } = row
  return (
    <a className="delivery" {...linkTo('webhooks', undefined, `?${search}&delivery=${row.id}`)}>
      <StatusBadge delivery={row} />
      <span className="delivery-what">
        {types[row.event_type]}
        <bdi dir="ltr" className="delivery-type">
          {row.event_type}
        </bdi>
      </span>
      <span className="delivery-why">
        {error !== null && status !== 'delivered' && failureWords(failures, row)[0]}
        <span className="delivery-attempts">
          {deliveries.attempts(attempt_count)}
          {next_attempt_at !== null &&
            attempt_count > 0 &&
            `, ${deliveries.next(times.clock(Date.parse(next_attempt_at)))}`}
        </span>
      </span>
      <time className="delivery-when" dateTime={row.created_at}>
        {times.exact(row.created_at)}
      </time>
    </a>
  )
})
