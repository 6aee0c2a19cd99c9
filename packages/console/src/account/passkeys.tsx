// The administrator's passkeys: seeing, adding and removing them.

import { api, type ConsolePasskey } from '@clinic-data/console-parts/api'
import { useHasDraft } from '@clinic-data/console-parts/requests/draft'
import { PASSKEYS } from '@clinic-data/console-parts/requests/query-client'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { KeyIcon, PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isOptional, useProvider } from '../provider.ts'
import { AddPasskey, NEW_PASSKEY } from './add-passkey.tsx'
import { hasPasskeys } from './device.ts'
import { RemovePasskey } from './remove-passkey.tsx'

/** As many as the service keeps of one administrator. */
const MOST = 10

export function Passkeys() {
  const { account } = useWords()
  const { passkeys: words } = account
  const listed = useQuery({ queryKey: PASSKEYS, queryFn: api.listPasskeys })
  const [isAdding, setAdding] = useState(useHasDraft(NEW_PASSKEY))
  const removal = useOpened<ConsolePasskey>()
  const provider = useProvider()
  const passkeys = listed.data?.data ?? []
  const areOff = provider?.is_required ?? false
  const mayUse = hasPasskeys() && isOptional(provider)
  // A passkey is offered only where it can be used. One that was added elsewhere, or before, can still be removed.
  if (!mayUse && passkeys.length === 0) return null
  return (
    <Card withBorder padding="lg">
      <Stack gap="md" align="flex-start">
        <CardHead title={words.title} text={areOff && provider ? words.areOff(provider.name) : words.text} />
        <Failure error={listed.error} onRetry={() => listed.refetch()} />
        {passkeys.length > 0 && <List passkeys={passkeys} onRemove={removal.open} />}
        {mayUse && listed.data && <Adding {...listed.data} onAdd={() => setAdding(true)} />}
      </Stack>
      <AddPasskey isOpen={isAdding} known={passkeys} onClose={() => setAdding(false)} />
      <RemovePasskey removed={removal.opened} onClose={removal.closing(removal.opened)} />
    </Card>
  )
}

interface AddingProps {
  data: readonly ConsolePasskey[]
  onAdd: () => void
}

function Adding({ data, onAdd }: AddingProps) {
  const { passkeys: words } = useWords().account
  if (data.length >= MOST) return <Text size="sm">{words.full(MOST)}</Text>
  return (
    <Button leftSection={<PlusIcon size={16} />} variant={data.length === 0 ? 'filled' : 'default'} onClick={onAdd}>
      {words.add}
    </Button>
  )
}

interface ListProps {
  passkeys: readonly ConsolePasskey[]
  onRemove: (passkey: ConsolePasskey) => void
}

function List({ passkeys, onRemove }: ListProps) {
  const { passkeys: words } = useWords().account
  const times = useTimes()
  return (
    <ul className="passkeys">
      {passkeys.map((passkey) => (
        <li key={passkey.id}>
          <KeyIcon size={20} />
          <div className="passkey-text">
            <Text fw={600} className="passkey-name">
              <bdi>{passkey.name}</bdi>
            </Text>
            <Text size="sm" c="dimmed">
              {words.added(times.day(passkey.created_at))}
              {' · '}
              {passkey.last_used_at ? words.used(times.moment(passkey.last_used_at)) : words.unused}
            </Text>
          </div>
          <Group>
            <Button
              variant="default"
              size="xs"
              aria-label={words.removeOf(passkey.name)}
              onClick={() => onRemove(passkey)}
            >
              {words.remove}
            </Button>
          </Group>
        </li>
      ))}
    </ul>
  )
}
