// Asks before a key is revoked, and says what that ends.

import { api, type ConsoleKey } from '@clinic-data/console-parts/api'
import { KEYS, WEBHOOKS } from '@clinic-data/console-parts/requests/query-client'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { useWords } from '@clinic-data/console-words/language'
import { Alert, Code, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { maskedKey } from './key-state.ts'
import { type Fate, meetFate, useWebhooksOf, WebhooksOfKey, webhooksOf } from './webhooks-of-key.tsx'

interface RevokeDialogProps {
  /** Null: the dialog is closed. */
  revoked: ConsoleKey | null
  onClose: () => void
}

export function RevokeDialog({ revoked, onClose }: RevokeDialogProps) {
  const { revoke: words, keys } = useWords()
  const client = useQueryClient()
  const made = useWebhooksOf(revoked)
  const [fate, setFate] = useState<Fate>('keep')
  const close = () => {
    setFate('keep')
    onClose()
  }
  const revoke = async () => {
    const id = revoked?.id ?? ''
    await api.revokeKey(id)
    // Read again: the key may have made one while the dialog was open, and now it makes no more.
    if (fate !== 'keep') await meetFate(await webhooksOf(id), fate)
    await Promise.all([KEYS, WEBHOOKS].map((queryKey) => client.invalidateQueries({ queryKey })))
  }
  const used = revoked?.requests_24h ?? 0
  return (
    <AskFirst title={revoked && words.title(revoked.name)} submit={words.submit} act={revoke} onClose={close}>
      <Text>
        <Code dir="ltr">{revoked && maskedKey(revoked)}</Code>
      </Text>
      <Text>{words.text}</Text>
      {used > 0 && (
        <Alert color="orange" variant="outline" c="var(--console-warning)">
          {words.used(keys.requests(used))}
        </Alert>
      )}
      <WebhooksOfKey read={made} fate={fate} onChoose={setFate} />
    </AskFirst>
  )
}
