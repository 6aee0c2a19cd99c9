// Moves a key, a connected app or a webhook to another integration, or to a new one.

import { api, type IntegrationPage } from '@clinic-data/console-parts/api'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { forgetMembers } from '@clinic-data/console-parts/requests/forget-members'
import { INTEGRATIONS } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useMinting } from '@clinic-data/console-parts/requests/use-minting'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { searchOf } from '../belonging/integration-name.tsx'
import { goTo } from '../places.tsx'
import { useOthers } from './use-others.ts'

/** It can be moved. A webhook's name is its address. */
export interface Movable {
  id: string
  name: string
}

interface MoveDialogProps {
  /** Null: the dialog is closed. */
  moved: Movable | null
  from: IntegrationPage
  onClose: () => void
}

export function MoveDialog({ moved, from, onClose }: MoveDialogProps) {
  const { moving } = useIntegrationWords().integrations
  return (
    <Dialog title={moved && moving.title(moved.name)} isOpen={moved !== null} onClose={onClose}>
      {moved && <MoveForm moved={moved} from={from} onClose={onClose} />}
    </Dialog>
  )
}

/** Stands for an integration that is made. */
const NEW = 'new'

interface MoveFormProps {
  moved: Movable
  from: IntegrationPage
  onClose: () => void
}

function MoveForm({ moved, from, onClose }: MoveFormProps) {
  const words = useWords()
  const { moving } = useIntegrationWords().integrations
  const client = useQueryClient()
  const others = useOthers(from.id)
  const [to, setTo] = useState(NEW)
  const [name, setName] = useState('')
  const sent = useMinting({
    mint: async (target: string, idempotencyKey) => {
      const id = target === NEW ? (await api.createIntegration({ name: name.trim() }, idempotencyKey)).id : target
      await api.joinIntegration(id, [moved.id])
      return id
    },
    listed: INTEGRATIONS,
    onMinted: (id) => {
      onClose()
      goTo('integrations', searchOf(id))
      void forgetMembers(client)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sent.mint(to)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Text c="dimmed">{moving.text}</Text>
        <NativeSelect
          label={moving.to}
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
          data={[
            { value: NEW, label: moving.own },
            // Nothing is moved to a stopped one.
            ...(others.data ?? [])
              .filter(({ stopped_at }) => stopped_at === null)
              .map((one) => ({ value: one.id, label: one.name })),
          ]}
          data-autofocus
        />
        {to === NEW && (
          <TextInput
            label={moving.newName}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={faultText(sent.error, 'name', words)}
            required
            withAsterisk={false}
            maxLength={200}
          />
        )}
        <Failure error={others.error} onRetry={() => others.refetch()} />
        {hasStatus(sent.error, 409) ? (
          <Refused text={moving.stopped} />
        ) : (
          <Failure error={sent.error} fields={['name']} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={sent.isPending}>
            {moving.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
