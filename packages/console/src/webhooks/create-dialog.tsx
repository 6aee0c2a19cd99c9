// Makes a subscription, and shows its secret once.

import { INTEGRATIONS, WEBHOOKS } from '@clinic-data/console-parts/requests/query-client'
import { useMinting } from '@clinic-data/console-parts/requests/use-minting'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useHeld } from '@clinic-data/console-parts/shown/held'
import { type V1Body, v1 } from '@clinic-data/console-parts/v1'
import { useWords } from '@clinic-data/console-words/language'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CHOICE_FIELDS, ForIntegration, useIntegrationChoice } from '../belonging/for-integration.tsx'
import { SecretOnce } from './secret-once.tsx'
import type { Subscription } from './subscriptions.ts'
import { FIELDS, WebhookForm, type Wish } from './webhook-form.tsx'

/** The draft of its form. */
export const NEW_WEBHOOK = 'new webhook'

interface CreateDialogProps {
  isOpen: boolean
  onClose: () => void
  /** The integration from whose page it was opened. */
  of?: { id: string; name: string }
}

export function CreateDialog({ isOpen, onClose, of }: CreateDialogProps) {
  const words = useWords().webhooks
  const [made, setMade] = useState<Subscription | null>(null)
  const close = () => {
    onClose()
    setMade(null)
  }
  return (
    <Dialog title={made ? words.once.title : words.add} isOpen={isOpen} onClose={close} size="xl">
      {made === null ? (
        <CreateForm of={of} onMade={setMade} onCancel={close} />
      ) : (
        <SecretOnce secret={made.secret} text={words.once.text} onDone={close} />
      )}
    </Dialog>
  )
}

interface CreateFormProps {
  of: CreateDialogProps['of']
  onMade: (made: Subscription) => void
  onCancel: () => void
}

/** One form makes one subscription, however often it is sent. */
function CreateForm({ of, onMade, onCancel }: CreateFormProps) {
  const { form } = useWords().webhooks
  const client = useQueryClient()
  const draft = of ? `webhook of ${of.id}` : NEW_WEBHOOK
  const choice = useIntegrationChoice({ draft, preset: of })
  const sent = useMinting({
    mint: async (body: V1Body<'webhooks.create'>, idempotencyKey) =>
      (await v1('webhooks.create', { body, idempotencyKey })).data,
    listed: WEBHOOKS,
    onMinted: (made) => {
      void client.invalidateQueries({ queryKey: INTEGRATIONS })
      onMade(made)
    },
  })
  useHeld(sent.isPending)
  const submit = (wish: Wish) => {
    const forWhich = choice.take()
    if (forWhich !== null) sent.mint({ ...wish, ...forWhich })
  }
  return (
    <WebhookForm
      draft={draft}
      submit={form.create}
      error={sent.error}
      isPending={sent.isPending}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <ForIntegration choice={choice} error={sent.error} />
      <Failure error={sent.error} fields={[...FIELDS, ...CHOICE_FIELDS]} />
    </WebhookForm>
  )
}
