// Makes a subscription, and shows its secret once.

import { WEBHOOKS } from '@clinic-data/console-parts/requests/query-client'
import { useMinting } from '@clinic-data/console-parts/requests/use-minting'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useHeld } from '@clinic-data/console-parts/shown/held'
import { v1 } from '@clinic-data/console-parts/v1'
import { useWords } from '@clinic-data/console-words/language'
import { useState } from 'react'
import { SecretOnce } from './secret-once.tsx'
import type { Subscription } from './subscriptions.ts'
import { FIELDS, WebhookForm, type Wish } from './webhook-form.tsx'

/** The draft of its form. */
export const NEW_WEBHOOK = 'new webhook'

export function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const words = useWords().webhooks
  const [made, setMade] = useState<Subscription | null>(null)
  const close = () => {
    onClose()
    setMade(null)
  }
  return (
    <Dialog title={made ? words.once.title : words.add} isOpen={isOpen} onClose={close} size="xl">
      {made === null ? (
        <CreateForm onMade={setMade} onCancel={close} />
      ) : (
        <SecretOnce secret={made.secret} text={words.once.text} onDone={close} />
      )}
    </Dialog>
  )
}

/** One form makes one subscription, however often it is sent. */
function CreateForm({ onMade, onCancel }: { onMade: (made: Subscription) => void; onCancel: () => void }) {
  const { form } = useWords().webhooks
  const sent = useMinting({
    mint: async (body: Wish, idempotencyKey) => (await v1('webhooks.create', { body, idempotencyKey })).data,
    listed: WEBHOOKS,
    onMinted: onMade,
  })
  useHeld(sent.isPending)
  return (
    <WebhookForm
      draft={NEW_WEBHOOK}
      submit={form.create}
      error={sent.error}
      isPending={sent.isPending}
      onSubmit={sent.mint}
      onCancel={onCancel}
    >
      <Failure error={sent.error} fields={FIELDS} />
    </WebhookForm>
  )
}
