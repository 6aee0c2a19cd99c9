// The deliveries of a subscription: filters, the list, and the one that is open.
import type { EventType } from '@clinic-data/contract/event-types'
import { Button, Card, Group, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core'
import { memo } from 'react'
import { linkTo, type Search, useSearch } from '../places.tsx'
import { Failure } from '../shown/failure.tsx'
import { useTimes } from '../times.ts'
import { useWords } from '../words/language.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { failureWords } from './failure-words.ts'
import { StatusBadge } from './status-badge.tsx'
import { type Delivery, type Filters, useDeliveries } from './use-deliveries.ts'

const STATUSES = ['delivered', 'failed', 'pending'] as const satisfies readonly Delivery['status'][]

/** What an address asks for. What is no filter is none. */
function filtersOf({ status, type }: Search, types: Readonly<Record<string, string>>): Filters {
  const isStatus = STATUSES.find((one) => one === status)
  return {
    ...(isStatus && { status: isStatus }),
    ...(type !== undefined && Object.hasOwn(types, type) && { event_type: type as EventType }),
  }
}

export function Deliveries({ id }: { id: string }) {
  const words = useWords().webhooks
  const [search, setSearch] = useSearch()
  const filters = filtersOf(search, words.types)
  const { listed, rows, fresh, show, shown } = useDeliveries(id, filters, search.delivery)
  const close = () => setSearch({ ...search, delivery: undefined })
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="md">
        <div>
          <Title order={2} size="h4">
            {words.deliveries.title}
          </Title>
          <Text size="sm" c="dimmed">
            {words.deliveries.live}
          </Text>
        </div>
        <DeliveryFilters />
      </Group>
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
      {listed.isPending && !listed.error && <Skeleton height={240} radius="md" aria-hidden="true" />}
      {fresh > 0 && (
        <Button className="fresh" size="xs" onClick={show}>
          {words.deliveries.fresh(fresh)}
        </Button>
      )}
      {listed.data && <Listed rows={rows} search={addressOf(search)} isFiltered={Object.keys(filters).length > 0} />}
      {listed.hasNextPage && (
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

function DeliveryFilters() {
  const { deliveries, status, types } = useWords().webhooks
  const [search, setSearch] = useSearch()
  return (
    <Group gap="sm" className="filters">
      <NativeSelect
        aria-label={deliveries.status}
        value={search.status ?? ''}
        onChange={({ currentTarget }) => setSearch({ ...search, status: currentTarget.value })}
        data={[
          { value: '', label: deliveries.anyStatus },
          ...STATUSES.map((one) => ({ value: one, label: status[one] })),
        ]}
      />
      <NativeSelect
        aria-label={deliveries.type}
        value={search.type ?? ''}
        onChange={({ currentTarget }) => setSearch({ ...search, type: currentTarget.value })}
        data={[
          { value: '', label: deliveries.anyType },
          ...Object.entries(types).map(([value, label]) => ({ value, label })),
        ]}
      />
    </Group>
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
      <StatusBadge status={status} />
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
