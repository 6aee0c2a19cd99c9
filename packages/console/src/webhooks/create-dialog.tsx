// Makes a subscription, and shows its secret once.

import { useWords } from '@clinic-data/console-words/language'
import { useState } from 'react'
import { WEBHOOKS } from '../requests/query-client.ts'
import { useMinting } from '../requests/use-minting.ts'
import { Dialog } from '../shown/dialog.tsx'
import { Failure } from '../shown/failure.tsx'
import { useHeld } from '../shown/held.ts'
import { v1 } from '../v1.ts'
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
