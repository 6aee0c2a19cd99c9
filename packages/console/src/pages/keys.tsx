// The clinic's keys: seeing, minting, rotating and revoking them, and the one that the address names.
import { Folded } from '@clinic-data/console-parts/shown/folded'
import '../connections/connections.css'
import '../webhooks/webhooks.css'
import '../keys/keys.css'

import { api, type ConsoleKey } from '@clinic-data/console-parts/api'
import { useHasDraft } from '@clinic-data/console-parts/requests/draft'
import { KEYS } from '@clinic-data/console-parts/requests/query-client'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { PlusIcon, RefreshIcon } from '@clinic-data/console-parts/shown/icons'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { ActionIcon, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ListedKey, statesOf } from '../keys/key-state.ts'
import { KeyTable } from '../keys/key-table.tsx'
import { type KeyActions, KeyView } from '../keys/key-view.tsx'
import { MintDialog } from '../keys/mint-dialog.tsx'
import { type Minting, NEW_KEY } from '../keys/minting.ts'
import { RevokeDialog } from '../keys/revoke-dialog.tsx'
import { Rotations } from '../keys/rotations.tsx'
import { useSearch } from '../places.tsx'

export function KeysPage() {
  const [{ key: chosen }] = useSearch()
  const [minting, setMinting] = useState<Minting>(useHasDraft(NEW_KEY) ? { beside: null } : null)
  const revocation = useOpened<ConsoleKey>()
  const actions = { onRotate: (beside: ConsoleKey) => setMinting({ beside }), onRevoke: revocation.open }
  return (
    <>
      {chosen === undefined ? (
        <AllKeys {...actions} onMint={() => setMinting({ beside: null })} />
      ) : (
        <KeyView key={chosen} id={chosen} {...actions} />
      )}
      <MintDialog minting={minting} onClose={() => setMinting(null)} />
      <RevokeDialog revoked={revocation.opened} onClose={revocation.closing(revocation.opened)} />
    </>
  )
}

function AllKeys({ onMint, ...actions }: { onMint: () => void } & KeyActions) {
  const { keys: words } = useWords()
  const listed = useQuery({ queryKey: KEYS, queryFn: api.listKeys })
  const mint = (
    <Button leftSection={<PlusIcon size={16} />} onClick={onMint}>
      {words.mint}
    </Button>
  )
  return (
    <>
      <Heading title={words.title} text={words.text} action={mint} />
      {listed.data === undefined && !listed.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
      {listed.data && (
        <Listed
          keys={statesOf(listed.data, listed.dataUpdatedAt)}
          readAt={listed.dataUpdatedAt}
          isReading={listed.isFetching}
          onRefresh={() => listed.refetch()}
          {...actions}
        />
      )}
    </>
  )
}

interface ListedProps extends KeyActions {
  keys: readonly ListedKey[]
  readAt: number
  isReading: boolean
  onRefresh: () => void
}

function Listed({ keys, readAt, isReading, onRefresh, ...actions }: ListedProps) {
  const { keys: words } = useWords()
  const times = useTimes()
  const ended = keys.filter(({ state }) => state === 'revoked' || state === 'expired')
  const usable = keys.filter((key) => !ended.includes(key))
  return (
    <Stack gap="lg">
      <Rotations keys={keys} onRevoke={actions.onRevoke} />
      <Card withBorder padding={0} className="list">
        {usable.length === 0 ? <Empty /> : <KeyTable keys={usable} label={words.title} {...actions} />}
      </Card>
      <Group justify="flex-end" gap={4}>
        <Text size="xs" c="dimmed">
          {words.asOf(times.clock(readAt))}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label={words.refresh} onClick={onRefresh} loading={isReading}>
          <RefreshIcon size={16} />
        </ActionIcon>
      </Group>
      {ended.length > 0 && (
        <Folded className="ended" summary={words.ended(ended.length)}>
          <Card withBorder padding={0} mt="sm" className="list">
            <KeyTable keys={ended} label={words.ended(ended.length)} {...actions} />
          </Card>
        </Folded>
      )}
    </Stack>
  )
}

function Empty() {
  const { keys } = useWords()
  return (
    <Stack gap={4} align="center" ta="center" px="md" py={56}>
      <Title order={2} size="h4">
        {keys.empty}
      </Title>
      <Text c="dimmed">{keys.emptyText}</Text>
    </Stack>
  )
}
