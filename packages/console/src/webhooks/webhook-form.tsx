// The fields of a subscription, for a new one and for a change.

import { useDraft } from '@clinic-data/console-parts/requests/draft'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import type { Words } from '@clinic-data/console-words/en'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { EventTypes, type Wanted } from './event-types.tsx'
import type { Subscription } from './subscriptions.ts'
import { urlFault } from './url-fault.ts'

export const FIELDS = ['url', 'event_types', 'description'] as const

/** An administrator may change these fields of a subscription. */
export type Wish = Pick<Subscription, (typeof FIELDS)[number]>

interface WebhookFormProps {
  /** Names what is typed, should the session end. */
  draft: string
  /** Undefined for a new one. */
  begun?: Wish
  submit: string
  error: unknown
  isPending: boolean
  onSubmit: (wish: Wish) => void
  onCancel: () => void
  /** Below the fields: what failed, or what somebody else changed. */
  children: ReactNode
}

/** Says what is still to be chosen. */
function missingIn(wanted: Wanted, form: Words['webhooks']['form']): string | undefined {
  if (wanted === undefined) return form.chooseWhich
  return wanted?.length === 0 ? form.choose : undefined
}

export function WebhookForm({
  draft,
  begun,
  submit,
  error,
  isPending,
  onSubmit,
  onCancel,
  children,
}: WebhookFormProps) {
  const words = useWords()
  const { form } = words.webhooks
  const [url, setUrl] = useDraft(`${draft} url`, begun?.url ?? '')
  const [description, setDescription] = useDraft(`${draft} note`, begun?.description ?? '')
  const [wanted, setWanted] = useDraft<Wanted>(
    `${draft} events`,
    begun?.event_types.length === 0 ? null : begun?.event_types,
  )
  /** The address that was sent, or would have been. */
  const [sentUrl, setSentUrl] = useState<string | null>(null)
  const send = (event: FormEvent) => {
    event.preventDefault()
    setSentUrl(url.trim())
    if (missingIn(wanted, form) !== undefined) return
    onSubmit({ url: url.trim(), event_types: [...(wanted ?? [])], description: description.trim() || null })
  }
  const missing = sentUrl !== null ? missingIn(wanted, form) : undefined
  return (
    <form onSubmit={send}>
      <Stack gap="lg">
        <TextInput
          label={form.url}
          description={form.urlHint}
          placeholder="https://"
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          error={urlFault(error, sentUrl ?? '', words)}
          required
          withAsterisk={false}
          maxLength={2048}
          dir="ltr"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          classNames={{ label: 'as-page', description: 'as-page', error: 'as-page' }}
          data-autofocus
        />
        <TextInput
          label={form.description}
          description={form.descriptionHint}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          error={faultText(error, 'description', words)}
          maxLength={250}
        />
        <EventTypes wanted={wanted} onChange={setWanted} fault={missing ?? faultText(error, 'event_types', words)} />
        {children}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={isPending} onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
