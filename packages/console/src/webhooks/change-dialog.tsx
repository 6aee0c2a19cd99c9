// Changes a subscription. Before it is saved, what is stored is compared with what the form began with: another administrator may have
// changed it meanwhile, and nobody overwrites that unknowingly.

import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { v1 } from '@clinic-data/console-parts/v1'
import { useWords } from '@clinic-data/console-words/language'
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EventChips } from './event-chips.tsx'
import { SUBSCRIPTIONS, type Subscription } from './subscriptions.ts'
import { FIELDS, WebhookForm, type Wish } from './webhook-form.tsx'

interface ChangeDialogProps {
  webhook: Subscription
  isOpen: boolean
  onClose: () => void
}

/** The draft of its form. */
export const changeDraft = ({ id }: Subscription) => `webhook ${id}`

export function ChangeDialog({ webhook, isOpen, onClose }: ChangeDialogProps) {
  const { form } = useWords().webhooks
  return (
    <Dialog title={form.changeTitle} isOpen={isOpen} onClose={onClose} size="xl">
      <ChangeForm webhook={webhook} onDone={onClose} />
    </Dialog>
  )
}

const wishOf = ({ url, event_types, description }: Wish): Wish => ({ url, event_types, description })
const isSame = (a: Wish, b: Wish) => JSON.stringify(wishOf(a)) === JSON.stringify(wishOf(b))

/** The form asked for one thing, and somebody else has made another of the subscription meanwhile. */
interface Conflict {
  wish: Wish
  stored: Subscription
}

function ChangeForm({ webhook, onDone }: { webhook: Subscription; onDone: () => void }) {
  const { form, testing, gone } = useWords().webhooks
  const client = useQueryClient()
  // The form began with this, although the page reads the subscription again meanwhile.
  const [begun] = useState(() => wishOf(webhook))
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const sent = useActing({
    act: async ({ wish, known }: { wish: Wish; known: Wish }) => {
      const params = { id: webhook.id }
      const { data: stored } = await v1('webhooks.get', { params })
      if (!isSame(stored, known)) return { wish, stored }
      const changed = FIELDS.filter((field) => JSON.stringify(wish[field]) !== JSON.stringify(stored[field]))
      const body = Object.fromEntries(changed.map((field) => [field, wish[field]]))
      if (changed.length > 0) await v1('webhooks.update', { params, body })
      return null
    },
    onDone: async (found) => {
      setConflict(found)
      if (found !== null) return
      await client.invalidateQueries({ queryKey: SUBSCRIPTIONS })
      onDone()
    },
  })
  const keepTheirs = async () => {
    await client.invalidateQueries({ queryKey: SUBSCRIPTIONS })
    onDone()
  }
  return (
    <WebhookForm
      draft={changeDraft(webhook)}
      begun={begun}
      submit={form.save}
      error={sent.error}
      isPending={sent.isPending}
      onSubmit={(wish) => sent.act({ wish, known: begun })}
      onCancel={onDone}
    >
      {conflict && (
        <OtherChange
          conflict={conflict}
          onKeep={keepTheirs}
          onOverwrite={() => sent.act({ wish: conflict.wish, known: wishOf(conflict.stored) })}
        />
      )}
      {hasStatus(sent.error, 409) || hasStatus(sent.error, 404) ? (
        <Refused text={hasStatus(sent.error, 404) ? gone : testing.refused} />
      ) : (
        <Failure error={sent.error} fields={FIELDS} />
      )}
    </WebhookForm>
  )
}

interface OtherChangeProps {
  conflict: Conflict
  onKeep: () => void
  onOverwrite: () => void
}

function OtherChange({ conflict: { stored }, onKeep, onOverwrite }: OtherChangeProps) {
  const { other, everyType } = useWords().webhooks
  return (
    <Alert color="orange" variant="outline" role="alert" title={other.title} c="var(--console-warning)">
      <Stack gap="sm">
        <Text size="sm">{other.now}</Text>
        <Code dir="ltr" className="broken-anywhere">
          {stored.url}
        </Code>
        {stored.event_types.length === 0 ? (
          <Text size="sm">{everyType}</Text>
        ) : (
          <EventChips types={stored.event_types} />
        )}
        {stored.description && (
          <Text size="sm">
            <bdi>{stored.description}</bdi>
          </Text>
        )}
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={onKeep}>
            {other.keep}
          </Button>
          <Button size="xs" variant="default" onClick={onOverwrite}>
            {other.overwrite}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
