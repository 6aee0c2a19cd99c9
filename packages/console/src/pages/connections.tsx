// The apps that are connected to the clinic: all of them, or the one that the address names.
import { Folded } from '@clinic-data/console-parts/shown/folded'
import '../consent/consent.css'
import '../connections/connections.css'
import { api, type Connection } from '@clinic-data/console-parts/api'
import { CONNECTIONS } from '@clinic-data/console-parts/requests/query-client'
import { useSession } from '@clinic-data/console-parts/session'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AppRuleCard } from '../connections/app-rule-card.tsx'
import { ChangeDialog } from '../connections/change-dialog.tsx'
import { isOpen } from '../connections/connection-state.ts'
import { type ConnectionActions, ConnectionTable } from '../connections/connection-table.tsx'
import { ConnectionView } from '../connections/connection-view.tsx'
import { EndDialog } from '../connections/end-dialog.tsx'
import { MemberScopes } from '../connections/member-scopes.tsx'
import { PlaceLink, useSearch } from '../places.tsx'
import { useMay } from '../roles.ts'

const WATCH_MS = 15_000

export function ConnectionsPage() {
  const [{ connection: chosen }] = useSearch()
  const changing = useOpened<Connection>()
  const ending = useOpened<Connection>()
  const actions = { onChange: changing.open, onEnd: ending.open }
  return (
    <>
      {chosen === undefined ? <Listed {...actions} /> : <ConnectionView key={chosen} id={chosen} {...actions} />}
      <ChangeDialog connection={changing.opened} onClose={changing.closing(changing.opened)} />
      <EndDialog connection={ending.opened} onClose={ending.closing(ending.opened)} />
    </>
  )
}

function Listed(actions: ConnectionActions) {
  const { connections: words } = useAppWords()
  const client = useQueryClient()
  const may = useMay()
  const isOwnOnly = useSession().administrator.role === 'member'
  const listed = useQuery({
    queryKey: CONNECTIONS,
    queryFn: () => api.listConnections(client.getQueryData(CONNECTIONS) !== undefined),
    refetchInterval: WATCH_MS,
  })
  const all = listed.data ?? []
  const open = all.filter((one) => isOpen(one, listed.dataUpdatedAt))
  const ended = all.filter((one) => !isOpen(one, listed.dataUpdatedAt))
  return (
    <>
      <Heading
        title={words.title}
        text={isOwnOnly ? words.textOfMember : words.text}
        action={may('memberScopes') && <MemberScopes />}
      />
      {listed.data === undefined && !listed.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
      {listed.data && (
        <Stack gap="lg">
          <Card withBorder padding={0} className="list">
            {open.length === 0 ? <Empty /> : <ConnectionTable connections={open} label={words.title} {...actions} />}
          </Card>
          {ended.length > 0 && (
            <Folded className="ended" summary={words.ended(ended.length)}>
              <Card withBorder padding={0} mt="sm" className="list">
                <ConnectionTable connections={ended} label={words.ended(ended.length)} areEnded {...actions} />
              </Card>
            </Folded>
          )}
          {may('appRule') && <AppRuleCard />}
        </Stack>
      )}
    </>
  )
}

function Empty() {
  const { connections: words } = useAppWords()
  return (
    <Stack gap={4} align="center" ta="center" px="md" py={56}>
      <Title order={2} size="h4">
        {words.empty}
      </Title>
      <Text c="dimmed">
        {words.emptyText} <PlaceLink to="connect">{words.toConnect}</PlaceLink>
      </Text>
    </Stack>
  )
}
