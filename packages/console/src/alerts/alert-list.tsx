// All alerts of the clinic, the latest first: what was unusual, with its reason in words, and who has looked at it.
import '../connections/connections.css'
import '../webhooks/webhooks.css'
import './alerts.css'
import type { Alert } from '@clinic-data/console-parts/api'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useRows } from '@clinic-data/console-parts/shown/use-rows'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Button, Card, Group, Skeleton, Stack, Text } from '@mantine/core'
import { AlertCard } from './alert-card.tsx'
import { StopRules } from './stop-rules.tsx'
import { useAlerts } from './use-alerts.ts'

/** Each is as high as a third of a tall screen. */
const CARDS_AT_ONCE = 4

export function AlertList() {
  const { alerts: words } = useIntegrationWords()
  const read = useAlerts()
  return (
    <Stack gap="md">
      <Text c="dimmed">{words.text}</Text>
      <StopRules />
      {read.data === undefined && !read.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
      {read.data && <Cards alerts={read.data.pages.flatMap(({ data }) => data)} />}
      <Failure error={read.error} onRetry={() => (read.isFetchNextPageError ? read.fetchNextPage() : read.refetch())} />
      {read.hasNextPage && !read.isFetchNextPageError && (
        <Group justify="center">
          <Button variant="default" onClick={() => read.fetchNextPage()} loading={read.isFetchingNextPage}>
            {words.older}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Cards({ alerts }: { alerts: readonly Alert[] }) {
  const { alerts: words } = useIntegrationWords()
  const shown = useRows(alerts, CARDS_AT_ONCE)
  if (alerts.length === 0)
    return (
      <Card withBorder padding="lg">
        <Text>{words.none}</Text>
      </Card>
    )
  return shown.map((one) => <AlertCard key={one.id} alert={one} />)
}
