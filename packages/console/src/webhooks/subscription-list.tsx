// The clinic's subscriptions: a card each, with its address, its state and its last day.

import type { WebhookHealth } from '@clinic-data/console-parts/api'
import { useRows } from '@clinic-data/console-parts/shown/use-rows'
import { useWords } from '@clinic-data/console-words/language'
import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Belonging } from '../belonging/integration-name.tsx'
import { PlaceLink } from '../places.tsx'
import { HealthChart } from './health-chart.tsx'
import { StateBadge, StateText } from './state.tsx'
import type { Subscription } from './subscriptions.ts'

interface ListProps {
  webhooks: readonly Subscription[]
  health: ReadonlyMap<string, WebhookHealth>
}

export function SubscriptionList({ webhooks, health }: ListProps) {
  const words = useWords().webhooks
  const rows = useRows(webhooks)
  if (webhooks.length === 0) {
    return (
      <Card withBorder padding={0}>
        <Stack gap={4} align="center" ta="center" px="md" py={56}>
          <Title order={2} size="h4">
            {words.empty}
          </Title>
          <Text c="dimmed">{words.emptyText}</Text>
        </Stack>
      </Card>
    )
  }
  return (
    <ul className="subscriptions">
      {rows.map((webhook) => (
        <li key={webhook.id}>
          <SubscriptionCard webhook={webhook} health={health.get(webhook.id)} />
        </li>
      ))}
    </ul>
  )
}

function SubscriptionCard({ webhook, health }: { webhook: Subscription; health: WebhookHealth | undefined }) {
  const { everyType, someTypes } = useWords().webhooks
  const { url, description, event_types, id } = webhook
  return (
    <Card withBorder padding="lg" className="subscription">
      <Group justify="space-between" align="flex-start" gap="lg">
        <div className="subscription-text">
          <PlaceLink className="subscription-address" to="webhooks" search={`?${new URLSearchParams({ webhook: id })}`}>
            <bdi dir="ltr">{url}</bdi>
          </PlaceLink>
          <Group gap="xs" my={6}>
            <StateBadge webhook={webhook} health={health} />
            <Text size="sm" c="dimmed">
              {description !== null && (
                <>
                  <bdi>{description}</bdi> ·{' '}
                </>
              )}
              {event_types.length === 0 ? everyType : someTypes(event_types.length)}
            </Text>
          </Group>
          <div className="small">
            <StateText webhook={webhook} health={health} />
          </div>
          <Belonging to={health?.integration ?? null} />
        </div>
        {health === undefined ? <Skeleton height={56} width={220} /> : <HealthChart health={health} />}
      </Group>
    </Card>
  )
}
