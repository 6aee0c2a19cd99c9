// One partner, one page: who it is, what it may do and did, all that belongs to it, and Stop.

import { api, type IntegrationPage, type StopAnswer } from '@clinic-data/console-parts/api'
import { useHasDraft } from '@clinic-data/console-parts/requests/draft'
import { INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { Addresses } from '@clinic-data/console-parts/shown/addresses'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { DotsIcon } from '@clinic-data/console-parts/shown/icons'
import { RowMenu } from '@clinic-data/console-parts/shown/row-menu'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Button, Group, Menu, Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { searchOf } from '../belonging/integration-name.tsx'
import { PlaceLink } from '../places.tsx'
import { useMay, useSees } from '../roles.ts'
import { useSubscriptions } from '../webhooks/subscriptions.ts'
import { AccessTable } from './access-table.tsx'
import { ChangeDialog, changeDraft } from './change-dialog.tsx'
import { DidTable } from './did-table.tsx'
import { JoinDialog } from './join-dialog.tsx'
import { type Movable, MoveDialog } from './move-dialog.tsx'
import { StopDialog } from './stop-dialog.tsx'
import { Stopped } from './stopped.tsx'
import { Twins } from './twins.tsx'
import { useOthers } from './use-others.ts'
import { WaysTable } from './ways-table.tsx'
import { WebhookRows } from './webhook-rows.tsx'
import { Who } from './who.tsx'

const WATCH_MS = 15_000

export function IntegrationView({ id }: { id: string }) {
  const { integrations: words } = useIntegrationWords()
  const client = useQueryClient()
  const queryKey = [...INTEGRATIONS, id]
  const read = useQuery({
    queryKey,
    queryFn: () => api.integration(id, client.getQueryData(queryKey) !== undefined),
    refetchInterval: WATCH_MS,
  })
  const back = (
    <PlaceLink to="integrations" className="back">
      {words.back}
    </PlaceLink>
  )
  // One that is left with nothing goes.
  const isGone = hasStatus(read.error, 404)
  if (read.data !== undefined && !isGone) {
    return (
      <>
        {back}
        <Shown integration={read.data} />
      </>
    )
  }
  return (
    <>
      {back}
      <Heading title={words.title} />
      {!read.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
      {isGone ? <Refused text={words.gone} /> : <Failure error={read.error} onRetry={() => read.refetch()} />}
    </>
  )
}

type Doing = 'stop' | 'change' | 'join'

function Shown({ integration }: { integration: IntegrationPage }) {
  const { integrations: words } = useIntegrationWords()
  const { id, name, stopped_at, webhook_list } = integration
  const { listed, health } = useSubscriptions()
  const own = new Set(webhook_list.map((webhook) => webhook.id))
  const subscriptions = (listed.data ?? []).filter((webhook) => own.has(webhook.id))
  const others = useOthers(id)
  const may = useMay()
  const sees = useSees()
  const dialog = useOpened<Doing>(useHasDraft(changeDraft(integration)) ? 'change' : null)
  const moving = useOpened<Movable>()
  const [done, setDone] = useState<StopAnswer | null>(null)
  const of = (what: Doing) => ({ integration, isOpen: dialog.opened === what, onClose: dialog.closing(what) })
  return (
    <>
      <Heading
        title={name}
        action={
          <Group gap="sm">
            {stopped_at === null && may('stopIntegration') && (
              <Button color="red" onClick={() => dialog.open('stop')}>
                {words.stop}
              </Button>
            )}
            {may('changeIntegration') && (
              <Button variant="default" onClick={() => dialog.open('change')}>
                {words.change}
              </Button>
            )}
            {may('mergeIntegration') && <More onJoin={() => dialog.open('join')} />}
          </Group>
        }
      />
      <Stopped integration={integration} done={done} onResumed={setDone} />
      <Twins all={[integration, ...(others.data ?? [])]} of={id} />
      <Who integration={integration} />
      <div className="integration-halves">
        <AccessTable may={integration.may} webhooks={subscriptions} isStopped={stopped_at !== null} />
        <DidTable integration={integration} />
      </div>
      <WaysTable integration={integration} onMove={moving.open} />
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
      <WebhookRows
        integration={integration}
        subscriptions={subscriptions}
        isLoading={listed.isPending}
        health={health}
        onMove={moving.open}
      />
      {sees('addresses') && <Addresses addresses={integration.addresses} />}
      {may('listActivity') && (
        <PlaceLink to="activity" search={searchOf(id)}>
          {words.did.activity}
        </PlaceLink>
      )}
      <StopDialog {...of('stop')} onStopped={setDone} />
      <ChangeDialog {...of('change')} />
      <JoinDialog integration={dialog.opened === 'join' ? integration : null} onClose={dialog.closing('join')} />
      <MoveDialog moved={moving.opened} from={integration} onClose={moving.closing(moving.opened)} />
    </>
  )
}

function More({ onJoin }: { onJoin: () => void }) {
  const { integrations: words } = useIntegrationWords()
  return (
    <RowMenu
      button={
        <Button variant="default" leftSection={<DotsIcon size={16} />}>
          {words.more}
        </Button>
      }
    >
      <Menu.Item onClick={onJoin}>{words.joining.action}</Menu.Item>
    </RowMenu>
  )
}
