// The questions before a secret is rotated, before a subscription is deleted, and which event a test sends.

import { WEBHOOKS } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useHeld } from '@clinic-data/console-parts/shown/held'
import { v1 } from '@clinic-data/console-parts/v1'
import { useWords } from '@clinic-data/console-words/language'
import type { EventType } from '@clinic-data/contract/event-types'
import { Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DELIVERIES } from '../deliveries/use-deliveries.ts'
import { useSearch } from '../places.tsx'
import { SecretOnce } from './secret-once.tsx'
import { SUBSCRIPTIONS, type Subscription } from './subscriptions.ts'

interface SmallDialogProps {
  webhook: Subscription
  isOpen: boolean
  onClose: () => void
}

interface QuestionProps {
  webhook: Subscription
  text: string
  submit: string
  refused: string
  isDanger?: boolean
  /** Its result is shown once. */
  isMinting?: boolean
  act: () => Promise<void>
  onCancel: () => void
  children?: ReactNode
}

function Question({
  webhook,
  text,
  submit,
  refused,
  isDanger = false,
  isMinting = false,
  act,
  onCancel,
  children,
}: QuestionProps) {
  const words = useWords()
  const sent = useActing({ act })
  const isHeld = isMinting && sent.isPending
  useHeld(isHeld)
  return (
    <Stack gap="md">
      <Code dir="ltr" className="broken-anywhere">
        {webhook.url}
      </Code>
      <Text>{text}</Text>
      {children}
      {hasStatus(sent.error, 409) ? <Refused text={refused} /> : <Failure error={sent.error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={isHeld} onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button {...(isDanger && { color: 'red' })} loading={sent.isPending} onClick={() => sent.act()}>
          {submit}
        </Button>
      </Group>
    </Stack>
  )
}

export function RotateDialog({ webhook, isOpen, onClose }: SmallDialogProps) {
  const { rotating, once } = useWords().webhooks
  const client = useQueryClient()
  const [secret, setSecret] = useState<string | null>(null)
  const close = () => {
    onClose()
    setSecret(null)
  }
  const act = async () => {
    setSecret((await v1('webhooks.secret.rotate', { params: { id: webhook.id } })).data.secret)
    void client.invalidateQueries({ queryKey: SUBSCRIPTIONS })
  }
  return (
    <Dialog title={secret === null ? rotating.title : once.title} isOpen={isOpen} onClose={close}>
      {secret === null ? (
        <Question
          {...{ webhook, act, ...rotating, text: webhook.enabled ? rotating.text : rotating.stopped }}
          isMinting
          onCancel={close}
        />
      ) : (
        <SecretOnce
          secret={secret}
          text={`${once.text} ${webhook.enabled ? once.rotated : once.replaced}`}
          onDone={close}
        />
      )}
    </Dialog>
  )
}

export function RemoveDialog({ webhook, isOpen, onClose, onRemoved }: SmallDialogProps & { onRemoved: () => void }) {
  const words = useWords().webhooks
  const client = useQueryClient()
  const act = async () => {
    await v1('webhooks.delete', { params: { id: webhook.id } })
    onRemoved()
    await client.invalidateQueries({ queryKey: SUBSCRIPTIONS })
  }
  return (
    <Dialog title={words.removing.title} isOpen={isOpen} onClose={onClose}>
      <Question {...{ webhook, act, ...words.removing }} refused={words.gone} isDanger onCancel={onClose} />
    </Dialog>
  )
}

export function StopDialog(props: SmallDialogProps) {
  return <EnabledDialog {...props} enabled={false} words={useWords().webhooks.stopping} />
}

export function StartDialog(props: SmallDialogProps) {
  return <EnabledDialog {...props} enabled words={useWords().webhooks.starting} />
}

interface EnabledDialogProps extends SmallDialogProps {
  enabled: boolean
  words: { title: string; text: string; submit: string; refused: string }
}

function EnabledDialog({ webhook, isOpen, onClose, enabled, words: { title, ...words } }: EnabledDialogProps) {
  const client = useQueryClient()
  const act = async () => {
    await v1('webhooks.update', { params: { id: webhook.id }, body: { enabled } })
    await client.invalidateQueries({ queryKey: WEBHOOKS })
    onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <Question {...{ webhook, act, ...words }} onCancel={onClose} />
    </Dialog>
  )
}

export function TestDialog({ webhook, isOpen, onClose }: SmallDialogProps) {
  const { testing, types } = useWords().webhooks
  const all = Object.keys(types) as EventType[]
  const client = useQueryClient()
  const [, setSearch] = useSearch()
  const [chosen, setChosen] = useState<EventType | null>(null)
  const event_type = chosen ?? webhook.event_types[0] ?? 'appointment.updated'
  const act = async () => {
    await v1('webhooks.test', { params: { id: webhook.id }, body: { event_type } })
    const looks = { queryKey: [...DELIVERIES, webhook.id, 'watch'] }
    // One that is still on its way holds no test event, and would count as the look that comes next.
    await client.cancelQueries(looks)
    onClose()
    // A filter could hide it.
    setSearch({ webhook: webhook.id })
    await client.invalidateQueries(looks)
  }
  return (
    <Dialog title={testing.title} isOpen={isOpen} onClose={onClose}>
      <Question {...{ webhook, act, ...testing }} onCancel={onClose}>
        <NativeSelect
          label={testing.type}
          value={event_type}
          onChange={({ currentTarget }) => setChosen(currentTarget.value as EventType)}
          data={all.map((type) => ({ value: type, label: types[type] }))}
          data-autofocus
        />
      </Question>
    </Dialog>
  )
}
