// The webhooks of an integration: where each sends, what, and how it does, with the way to what failed.

import type { IntegrationPage, WebhookHealth } from '@clinic-data/console-parts/api'
import { PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Group, Skeleton, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { PlaceLink } from '../places.tsx'
import { useMay } from '../roles.ts'
import { CreateDialog } from '../webhooks/create-dialog.tsx'
import { EventChips } from '../webhooks/event-chips.tsx'
import { HealthChart } from '../webhooks/health-chart.tsx'
import { StateBadge, StateText } from '../webhooks/state.tsx'
import type { Subscription } from '../webhooks/subscriptions.ts'
import type { Movable } from './move-dialog.tsx'

interface WebhookRowsProps {
  integration: IntegrationPage
  subscriptions: readonly Subscription[]
  isLoading: boolean
  health: ReadonlyMap<string, WebhookHealth>
  onMove: (moved: Movable) => void
}

export function WebhookRows({ integration, subscriptions, isLoading, health, onMove }: WebhookRowsProps) {
  const { hooks: words } = useIntegrationWords().integrations
  const { webhook_list, stopped_at } = integration
  const { webhooks } = useWords()
  const may = useMay()
  const [isMaking, setMaking] = useState(false)
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {words.title}
        </Title>
        {stopped_at === null && may('webhooks.create') && (
          <Button size="xs" variant="default" leftSection={<PlusIcon size={14} />} onClick={() => setMaking(true)}>
            {webhooks.add}
          </Button>
        )}
      </Group>
      {webhook_list.length === 0 && (
        <Card withBorder padding="lg">
          <Text c="dimmed">{words.none}</Text>
        </Card>
      )}
      {webhook_list.length > 0 && isLoading && <Skeleton height={120} radius="md" aria-hidden="true" />}
      <ul className="subscriptions">
        {subscriptions.map((webhook) => (
          <li key={webhook.id}>
            <Row
              webhook={webhook}
              health={health.get(webhook.id)}
              isStopped={webhook_list.some(({ id, is_stopped }) => is_stopped && id === webhook.id)}
              {...(stopped_at === null &&
                may('joinIntegration') && { onMove: () => onMove({ id: webhook.id, name: webhook.url }) })}
            />
          </li>
        ))}
      </ul>
      <CreateDialog isOpen={isMaking} onClose={() => setMaking(false)} of={integration} />
    </section>
  )
}

interface RowProps {
  webhook: Subscription
  health: WebhookHealth | undefined
  /** By Stop. */
  isStopped: boolean
  onMove?: () => void
}

function Row({ webhook, health, isStopped, onMove }: RowProps) {
  const { webhooks } = useWords()
  const { hooks: words, moving } = useIntegrationWords().integrations
  const { id, url, event_types } = webhook
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" align="flex-start" gap="lg">
        <div className="subscription-text">
          <PlaceLink className="subscription-address" to="webhooks" search={searchOf({ webhook: id })}>
            <bdi dir="ltr">{url}</bdi>
          </PlaceLink>
          <Group gap="xs" my={6}>
            <StateBadge webhook={webhook} health={health} />
          </Group>
          <div className="small">
            {isStopped ? <Text>{words.stopped}</Text> : <StateText webhook={webhook} health={health} />}
          </div>
        </div>
        {health === undefined ? <Skeleton height={56} width={220} /> : <HealthChart health={health} />}
      </Group>
      <Text size="sm" mt="sm" mb={6}>
        {event_types.length === 0 ? webhooks.everyType : words.only}
      </Text>
      {event_types.length > 0 && <EventChips types={event_types} />}
      <Group mt="md" gap="md">
        <PlaceLink to="webhooks" search={searchOf({ webhook: id, status: 'failed' })}>
          {words.failures}
        </PlaceLink>
        <PlaceLink to="webhooks" search={searchOf({ webhook: id })}>
          {words.deliveries}
        </PlaceLink>
        {onMove && (
          <Button size="compact-sm" variant="default" onClick={onMove}>
            {moving.action}
          </Button>
        )}
      </Group>
    </Card>
  )
}

const searchOf = (search: Readonly<Record<string, string>>) => `?${new URLSearchParams(search)}`
