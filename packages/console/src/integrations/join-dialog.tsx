// Makes two integrations one: all that belongs to the other one moves to this one.

import { api, type Integration } from '@clinic-data/console-parts/api'
import { forgetMembers } from '@clinic-data/console-parts/requests/forget-members'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useOthers } from './use-others.ts'

interface JoinDialogProps {
  /** Null: the dialog is closed. */
  integration: Pick<Integration, 'id' | 'name' | 'stopped_at'> | null
  /** The one that is chosen already. */
  other?: string | undefined
  onClose: () => void
}

export function JoinDialog({ integration, other, onClose }: JoinDialogProps) {
  const { joining } = useIntegrationWords().integrations
  return (
    <Dialog title={integration && joining.title(integration.name)} isOpen={integration !== null} onClose={onClose}>
      {integration && <JoinForm integration={integration} begun={other ?? ''} onClose={onClose} />}
    </Dialog>
  )
}

interface JoinFormProps {
  integration: NonNullable<JoinDialogProps['integration']>
  begun: string
  onClose: () => void
}

function JoinForm({ integration, begun, onClose }: JoinFormProps) {
  const words = useWords()
  const { joining, moving } = useIntegrationWords().integrations
  const client = useQueryClient()
  const others = useOthers(integration.id)
  const [chosen, setChosen] = useState(begun)
  const [isEmpty, setEmpty] = useState(false)
  const sent = useActing({
    act: (from: string) => api.mergeIntegration(integration.id, from),
    onDone: onClose,
    after: () => forgetMembers(client),
  })
  const other = others.data?.find(({ id }) => id === chosen)
  const isStopped = other !== undefined && [integration, other].some(({ stopped_at }) => stopped_at !== null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setEmpty(chosen === '')
    if (chosen !== '') sent.act(chosen)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Text c="dimmed">{joining.text}</Text>
        <NativeSelect
          label={joining.which}
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          error={isEmpty && chosen === '' && moving.chooseOne}
          data={[
            { value: '', label: joining.choose },
            ...(others.data ?? []).map((one) => ({ value: one.id, label: one.name })),
          ]}
          data-autofocus
        />
        {isStopped && <Text role="status">{joining.stopped}</Text>}
        <Failure error={others.error} onRetry={() => others.refetch()} />
        <Failure error={sent.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={sent.isPending}>
            {joining.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
