// Makes two integrations one: all that belongs to the other one moves to this one.

import { api, type IntegrationPage } from '@clinic-data/console-parts/api'
import { forgetMembers } from '@clinic-data/console-parts/requests/forget-members'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useOthers } from './use-others.ts'

interface JoinDialogProps {
  integration: IntegrationPage
  isOpen: boolean
  onClose: () => void
}

export function JoinDialog({ integration, isOpen, onClose }: JoinDialogProps) {
  const { joining } = useIntegrationWords().integrations
  return (
    <Dialog title={joining.title(integration.name)} isOpen={isOpen} onClose={onClose}>
      <JoinForm integration={integration} onClose={onClose} />
    </Dialog>
  )
}

/** As many as one request moves. */
const MOST = 100

/** May be repeated: what has moved belongs to the other one no more. */
async function joinAll(id: string, other: string): Promise<void> {
  const { key_list, connection_list, webhook_list } = await api.integration(other, false)
  const ids = [...key_list, ...connection_list, ...webhook_list].map((one) => one.id)
  for (let at = 0; at < ids.length; at += MOST) await api.joinIntegration(id, ids.slice(at, at + MOST))
}

function JoinForm({ integration, onClose }: Omit<JoinDialogProps, 'isOpen'>) {
  const words = useWords()
  const { joining, moving } = useIntegrationWords().integrations
  const client = useQueryClient()
  const others = useOthers(integration.id)
  const [chosen, setChosen] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const sent = useActing({
    act: (other: string) => joinAll(integration.id, other),
    onDone: onClose,
    after: () => forgetMembers(client),
  })
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
        <Failure error={others.error} onRetry={() => others.refetch()} />
        {hasStatus(sent.error, 409) ? <Refused text={moving.stopped} /> : <Failure error={sent.error} />}
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
