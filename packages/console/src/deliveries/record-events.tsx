// The events of one record: which webhook got each, and why another one did not.

import { api, type RecordEvent } from '@clinic-data/console-parts/api'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { IdField } from '@clinic-data/console-parts/shown/id-field'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { PlaceLink, useSearch } from '../places.tsx'
import { failureWords } from './failure-words.ts'
import { StatusBadge } from './status-badge.tsx'
import { DELIVERIES } from './use-deliveries.ts'

type Received = RecordEvent['webhooks'][number]
type Webhook = { id: string; url: string; description: string | null }

interface RecordEventsProps {
  record: string
  webhooks: readonly Webhook[]
}

/** Each look stands in the audit log, so it is made once: whoever wants to look again loads the page. */
export function RecordEvents({ record, webhooks }: RecordEventsProps) {
  const { webhooks: words } = useWords()
  const found = useInfiniteQuery({
    queryKey: [...DELIVERIES, 'record', record],
    queryFn: ({ pageParam: cursor }) => api.recordEvents({ record_id: record, ...(cursor !== null && { cursor }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const events = found.data?.pages.flatMap(({ data }) => data)
  return (
    <>
      <PlaceLink to="webhooks" className="back">
        {words.back}
      </PlaceLink>
      <Heading title={words.record.title} text={words.record.text} />
      <RecordField record={record} />
      <Failure error={found.error} onRetry={() => found.refetch()} />
      {found.isPending && !found.error && <Skeleton height={240} radius="md" aria-hidden="true" />}
      {events?.length === 0 && (
        <Card withBorder padding={0}>
          <Stack gap={4} align="center" ta="center" px="md" py={40}>
            <Text fw={600}>{words.record.empty}</Text>
            <Text c="dimmed">{words.record.emptyText}</Text>
          </Stack>
        </Card>
      )}
      {events?.map((event) => (
        <EventCard key={event.id} event={event} webhooks={webhooks} />
      ))}
      {found.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={found.isFetchingNextPage} onClick={() => found.fetchNextPage()}>
            {words.record.more}
          </Button>
        </Group>
      )}
    </>
  )
}

export function RecordField({ record }: { record: string }) {
  const { record: words, deliveries } = useWords().webhooks
  const [, setSearch] = useSearch()
  return (
    <search className="record-field" aria-label={words.title}>
      <IdField
        label={record === '' ? words.title : words.field}
        hint={deliveries.recordHint}
        id={record}
        onChoose={(id) => setSearch({ record: id })}
      />
    </search>
  )
}

function EventCard({ event, webhooks }: { event: RecordEvent; webhooks: readonly Webhook[] }) {
  const words = useWords().webhooks
  const times = useTimes()
  return (
    <Card withBorder padding={0}>
      <Group justify="space-between" gap="xs" px={20} py="sm">
        <Title order={2} size="h5">
          {words.types[event.type]}{' '}
          <bdi dir="ltr" className="delivery-type">
            {event.type}
          </bdi>
        </Title>
        <time className="delivery-when small" dateTime={event.created_at}>
          {times.exact(event.created_at)}
        </time>
      </Group>
      {event.webhooks.length === 0 ? (
        <Text px={20} pb="sm" c="dimmed">
          {words.record.noWebhooks}
        </Text>
      ) : (
        <ul className="deliveries receivers">
          {event.webhooks.map((received) => (
            <li key={received.webhook_id} className="delivery">
              <Receiver received={received} webhook={webhooks.find(({ id }) => id === received.webhook_id)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Receiver({ received, webhook }: { received: Received; webhook: Webhook | undefined }) {
  const words = useWords().webhooks
  const { webhook_id, delivery } = received
  const search = new URLSearchParams({ webhook: webhook_id, ...(delivery && { delivery: delivery.id }) })
  const name = webhook?.description ?? webhook?.url ?? webhook_id
  return (
    <>
      {delivery === null ? (
        <span className="tone status" data-tone="quiet">
          {words.record.missed}
        </span>
      ) : (
        <StatusBadge delivery={delivery} />
      )}
      <span className="delivery-what">
        <PlaceLink to="webhooks" search={`?${search}`}>
          <bdi>{name}</bdi>
        </PlaceLink>
      </span>
      <span className="delivery-why">
        <Outcome received={received} />
      </span>
    </>
  )
}

function Outcome({ received: { delivery, missed } }: { received: Received }) {
  const { deliveries, delivery: ofDelivery, failures, record } = useWords().webhooks
  const times = useTimes()
  if (delivery?.delivered_at) return `${ofDelivery.arrived}: ${times.exact(delivery.delivered_at)}`
  if (delivery) {
    const why = delivery.error === null ? ofDelivery.none : failureWords(failures, delivery)[0]
    const next = delivery.next_attempt_at
    return next === null ? why : `${why} (${deliveries.next(times.clock(Date.parse(next)))})`
  }
  if (missed === null) return null
  const [since, until] = [moment(missed.since), moment(missed.until)]
  const { reasons } = record
  const said = {
    not_there: () => reasons.not_there(until ?? ''),
    not_subscribed: () => reasons.not_subscribed(until),
    paused: () => reasons.paused(since ?? '', until),
    stopped: () => reasons.stopped(since ?? '', until),
    disabled: () => reasons.disabled(since ?? ''),
    unknown: () => reasons.unknown,
  }
  return said[missed.reason]()

  function moment(at: string | null): string | null {
    return at === null ? null : times.moment(at)
  }
}
