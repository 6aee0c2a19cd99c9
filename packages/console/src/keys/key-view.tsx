// One key: what it may do, what it did and from where, its webhooks, and what to do if it leaked.

import { api, type ConsoleKey, type KeyPage } from '@clinic-data/console-parts/api'
import { KEYS } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { Addresses } from '@clinic-data/console-parts/shown/addresses'
import { Fact } from '@clinic-data/console-parts/shown/fact'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useTimes } from '@clinic-data/console-parts/times'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { useOperationWords } from '@clinic-data/console-words/operation-words'
import { Button, Card, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IntegrationName } from '../belonging/integration-name.tsx'
import { PlaceLink } from '../places.tsx'
import { ChangeKeyDialog } from './change-key-dialog.tsx'
import { isUsable, maskedKey } from './key-state.ts'
import { Leaked } from './leaked.tsx'
import { KnownNetworks } from './networks-field.tsx'
import { ScopeList } from './scope-text.tsx'

const WATCH_MS = 15_000

export interface KeyActions {
  onRotate: (key: ConsoleKey) => void
  onRevoke: (key: ConsoleKey) => void
}

export function KeyView({ id, ...actions }: { id: string } & KeyActions) {
  const { keys } = useWords()
  const { keyPage: words } = useIntegrationWords()
  const client = useQueryClient()
  const queryKey = [...KEYS, id]
  const read = useQuery({
    queryKey,
    queryFn: () => api.key(id, client.getQueryData(queryKey) !== undefined),
    refetchInterval: WATCH_MS,
  })
  const back = <PlaceLink to="keys">{words.back}</PlaceLink>
  if (read.data !== undefined) {
    return (
      <>
        {back}
        <Shown shown={read.data} {...actions} />
      </>
    )
  }
  return (
    <>
      {back}
      <Heading title={keys.title} />
      {!read.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
      {hasStatus(read.error, 404) ? (
        <Refused text={words.gone} />
      ) : (
        <Failure error={read.error} onRetry={() => read.refetch()} />
      )}
    </>
  )
}

function Shown({ shown, onRotate, onRevoke }: { shown: KeyPage } & KeyActions) {
  const { keys } = useWords()
  const { keyPage: words } = useIntegrationWords()
  const changing = useOpened<KeyPage>()
  const works = isUsable(shown, Date.now())
  const actions = (
    <Group gap="sm">
      <Button variant="default" onClick={() => changing.open(shown)}>
        {words.change}
      </Button>
      <Button variant="default" onClick={() => onRotate(shown)}>
        {keys.rotate}
      </Button>
      <Button color="red" onClick={() => onRevoke(shown)}>
        {keys.revoke}
      </Button>
    </Group>
  )
  return (
    <>
      <Heading title={shown.name} action={works && actions} />
      <Card withBorder padding="lg">
        <Stack gap="lg">
          <Facts shown={shown} />
          <div>
            <Title order={2} size="h5" mb={4}>
              {words.may}
            </Title>
            <div className="may">
              <ScopeList scopes={shown.scopes} />
            </div>
          </div>
        </Stack>
      </Card>
      {(works || shown.revoked_at !== null) && (
        <Leaked leaked={shown} works={works} onRevoke={() => onRevoke(shown)} onRotate={() => onRotate(shown)} />
      )}
      <Webhooks webhooks={shown.webhooks} />
      <Addresses addresses={shown.addresses} />
      <PlaceLink to="activity" search={`?${new URLSearchParams({ actor: shown.id })}`}>
        {words.activity}
      </PlaceLink>
      <ChangeKeyDialog changed={changing.opened} onClose={changing.closing(changing.opened)} />
    </>
  )
}

function Facts({ shown }: { shown: KeyPage }) {
  const { keys } = useWords()
  const { connections } = useAppWords()
  const { keyPage: words, integrations } = useIntegrationWords()
  const operations = useOperationWords()
  const times = useTimes()
  const { integration, created_at, made_by, last_used_at, last_read, rate_limit, requests_24h, stopped_at } = shown
  const operation = last_read && (operations[last_read.operation as keyof typeof operations] ?? last_read.operation)
  return (
    <dl className="connection-facts">
      <Fact name={words.key}>
        <Code dir="ltr">{maskedKey(shown)}</Code>
      </Fact>
      {integration && (
        <Fact name={words.integration}>
          <IntegrationName of={integration} />
        </Fact>
      )}
      <Fact name={words.made}>{keys.madeBy(times.moment(created_at), made_by?.name ?? keys.operator)}</Fact>
      <Ending shown={shown} />
      {stopped_at !== null && <Fact name={integrations.columns.state}>{integrations.ways.stopped}</Fact>}
      <Fact name={words.limit}>{rate_limit === null ? words.usualLimit : words.aMinute(rate_limit)}</Fact>
      <Fact name={words.networks}>
        <KnownNetworks networks={shown.networks} />
      </Fact>
      <Fact name={words.used}>{last_used_at === null ? keys.never : times.moment(last_used_at)}</Fact>
      <Fact name={words.requests}>{keys.requests(requests_24h)}</Fact>
      <Fact name={connections.lastRead}>
        {last_read === null
          ? keys.never
          : connections.read(String(operation), last_read.count, times.moment(last_read.at))}
      </Fact>
    </dl>
  )
}

function Ending({ shown: { revoked_at, expires_at } }: { shown: KeyPage }) {
  const { keyPage: words } = useIntegrationWords()
  const times = useTimes()
  if (revoked_at !== null) return <Fact name={words.revoked}>{times.moment(revoked_at)}</Fact>
  if (expires_at === null) return <Fact name={words.until}>{words.untilRevoked}</Fact>
  const isOver = Date.parse(expires_at) <= Date.now()
  return <Fact name={isOver ? words.expired : words.until}>{times.moment(expires_at)}</Fact>
}

function Webhooks({ webhooks }: { webhooks: KeyPage['webhooks'] }) {
  const allWords = useWords()
  const { keyPage: words } = useIntegrationWords()
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {words.webhooks}
      </Title>
      {webhooks.length === 0 ? (
        <Text c="dimmed">{words.noWebhooks}</Text>
      ) : (
        <ul className="made-webhooks">
          {webhooks.map(({ id, url, enabled }) => (
            <li key={id}>
              <PlaceLink to="webhooks" search={`?${new URLSearchParams({ webhook: id })}`} className="broken-anywhere">
                <bdi dir="ltr">{url}</bdi>
              </PlaceLink>{' '}
              {!enabled && (
                <Text span size="sm" c="dimmed">
                  {allWords.webhooks.state.disabled}
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
