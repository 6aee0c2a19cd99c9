// The page that the console begins with: which integrations there are, what needs attention, who read most, what is new.
import '../webhooks/webhooks.css'
import '../integrations/integrations.css'
import { api, type Home } from '@clinic-data/console-parts/api'
import { INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { later } from '@clinic-data/console-parts/shown/later'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Button, Card, Skeleton, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Attention } from '../home/attention.tsx'
import { FirstSteps } from '../home/first-steps.tsx'
import { News } from '../home/news.tsx'
import { Readers } from '../home/readers.tsx'
import { Unusual } from '../home/unusual.tsx'
import { IntegrationTable } from '../integrations/integration-table.tsx'
import { useMaking } from '../integrations/use-making.ts'
import { PlaceLink } from '../places.tsx'
import { useMay } from '../roles.ts'

const NewIntegration = later(async () => (await import('../integrations/new-integration.tsx')).NewIntegration)

const WATCH_MS = 30_000
/** The page is read in one glance. The others are on their own page. */
const MOST_LISTED = 8

export function HomePage() {
  const { home: words, integrations } = useIntegrationWords()
  const client = useQueryClient()
  const making = useMaking()
  const queryKey = [...INTEGRATIONS, 'home']
  const read = useQuery({
    queryKey,
    queryFn: () => api.home(client.getQueryData(queryKey) !== undefined),
    refetchInterval: WATCH_MS,
  })
  const isEmpty = read.data?.integrations.length === 0
  const may = useMay()
  const add = read.data && !isEmpty && may('mintKey') && (
    <Button leftSection={<PlusIcon size={16} />} onClick={making.open}>
      {integrations.add}
    </Button>
  )
  return (
    <>
      <Heading title={words.title} text={isEmpty ? words.begin.text : words.text} action={add} />
      {read.data === undefined && !read.error && <Skeleton height={320} radius="md" aria-hidden="true" />}
      <Failure error={read.error} onRetry={() => read.refetch()} />
      {read.data && (isEmpty ? <FirstSteps onMakeKey={making.open} /> : <Shown home={read.data} />)}
      {making.minting && <NewIntegration {...making} loader={null} />}
    </>
  )
}

function Shown({ home }: { home: Home }) {
  const { home: words } = useIntegrationWords()
  const { integrations } = home
  const lately = [...integrations]
    .sort((a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''))
    .slice(0, MOST_LISTED)
  return (
    <>
      <Unusual home={home} />
      <Attention home={home} />
      <section>
        <Title order={2} size="h5" mb="xs">
          {words.lately}
        </Title>
        <Card withBorder padding={0} className="list">
          <IntegrationTable integrations={lately} />
        </Card>
        <div className="below">
          <PlaceLink to="integrations">{words.all(integrations.length)}</PlaceLink>
        </div>
      </section>
      <div className="integration-halves">
        <Readers integrations={integrations} />
        <News home={home} />
      </div>
    </>
  )
}
