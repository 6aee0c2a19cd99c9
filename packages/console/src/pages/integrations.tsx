// The clinic's integrations, one for each partner: all of them, or the one that the address names.
import '../webhooks/webhooks.css'
import '../connections/connections.css'
import '../integrations/integrations.css'
import { api } from '@clinic-data/console-parts/api'
import { INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { later } from '@clinic-data/console-parts/shown/later'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Button, Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FindByName } from '../integrations/find-by-name.tsx'
import { IntegrationTable } from '../integrations/integration-table.tsx'
import { IntegrationView } from '../integrations/integration-view.tsx'
import { Twins } from '../integrations/twins.tsx'
import { useMaking } from '../integrations/use-making.ts'
import { useSearch } from '../places.tsx'
import { useMay } from '../roles.ts'

const NewIntegration = later(async () => (await import('../integrations/new-integration.tsx')).NewIntegration)

const WATCH_MS = 15_000

export function IntegrationsPage() {
  const [{ integration: chosen }] = useSearch()
  return chosen === undefined ? <Listed /> : <IntegrationView key={chosen} id={chosen} />
}

function Listed() {
  const { integrations: words } = useIntegrationWords()
  const client = useQueryClient()
  const making = useMaking()
  const queryKey = [...INTEGRATIONS, 'list']
  const listed = useQuery({
    queryKey,
    queryFn: () => api.listIntegrations(client.getQueryData(queryKey) !== undefined),
    refetchInterval: WATCH_MS,
  })
  const all = listed.data ?? []
  const may = useMay()
  const add = may('mintKey') && (
    <Button leftSection={<PlusIcon size={16} />} onClick={making.open}>
      {words.add}
    </Button>
  )
  return (
    <>
      <Heading title={words.title} text={words.text} action={add} />
      {listed.data === undefined && !listed.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
      <Twins all={all} />
      {listed.data && (
        <FindByName all={all}>
          {(found) => (
            <Card withBorder padding={0} className="list">
              {all.length === 0 ? <Empty /> : <IntegrationTable integrations={found} />}
            </Card>
          )}
        </FindByName>
      )}
      {making.minting && <NewIntegration {...making} loader={null} />}
    </>
  )
}

function Empty() {
  const { integrations: words } = useIntegrationWords()
  return (
    <Stack gap={4} align="center" ta="center" px="md" py={56}>
      <Title order={2} size="h4">
        {words.empty}
      </Title>
      <Text c="dimmed">{words.emptyText}</Text>
    </Stack>
  )
}
