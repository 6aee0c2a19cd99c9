// Changes what is written about an integration: its name, whom to call, notes.

import { api, type BodyOf, type IntegrationPage } from '@clinic-data/console-parts/api'
import { useDraft } from '@clinic-data/console-parts/requests/draft'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { forgetMembers } from '@clinic-data/console-parts/requests/forget-members'
import { changedOf, useChange } from '@clinic-data/console-parts/requests/use-change'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { ChangedMeanwhile, Failure } from '@clinic-data/console-parts/shown/failure'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'

interface ChangeDialogProps {
  integration: IntegrationPage
  isOpen: boolean
  onClose: () => void
}

/** The draft of the form. */
export const changeDraft = ({ id }: { id: string }) => `integration ${id}`

const writtenOf = ({ name, contact, notes }: IntegrationPage) => ({ name, contact, notes })

const MOST = { name: 200, contact: 500, notes: 4_000 } as const

export function ChangeDialog({ integration, isOpen, onClose }: ChangeDialogProps) {
  const { changing } = useIntegrationWords().integrations
  return (
    <Dialog title={changing.title(integration.name)} isOpen={isOpen} onClose={onClose} isForm>
      <ChangeForm integration={integration} onClose={onClose} />
    </Dialog>
  )
}

function ChangeForm({ integration, onClose }: Omit<ChangeDialogProps, 'isOpen'>) {
  const words = useWords()
  const { changing } = useIntegrationWords().integrations
  const client = useQueryClient()
  const draft = changeDraft(integration)
  const [name, setName] = useDraft(`${draft} name`, integration.name)
  const [contact, setContact] = useDraft(`${draft} contact`, integration.contact ?? '')
  const [notes, setNotes] = useDraft(`${draft} notes`, integration.notes ?? '')
  const sent = useChange({
    stored: writtenOf(integration),
    look: async () => writtenOf(await api.integration(integration.id, false)),
    act: (body: BodyOf<'changeIntegration'>) => api.changeIntegration(integration.id, body),
    onDone: onClose,
    after: () => forgetMembers(client),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = { name: name.trim(), contact: contact.trim() || null, notes: notes.trim() || null }
    const change = changedOf(wanted, sent.opened)
    if (change === null) onClose()
    else sent.act(change)
  }
  const fault = (field: keyof typeof MOST) => faultText(sent.error, field, words)
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          label={changing.name}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={fault('name')}
          required
          withAsterisk={false}
          maxLength={MOST.name}
          data-autofocus
        />
        <TextInput
          label={changing.contact}
          description={changing.contactHint}
          value={contact}
          onChange={({ currentTarget }) => setContact(currentTarget.value)}
          error={fault('contact')}
          maxLength={MOST.contact}
        />
        <Textarea
          label={changing.notes}
          description={changing.notesHint}
          value={notes}
          onChange={({ currentTarget }) => setNotes(currentTarget.value)}
          error={fault('notes')}
          maxLength={MOST.notes}
          rows={4}
        />
        {sent.now ? (
          <ChangedMeanwhile
            now={[
              [changing.name, sent.now.name],
              [changing.contact, sent.now.contact ?? ''],
              [changing.notes, sent.now.notes ?? ''],
            ]}
          />
        ) : (
          <Failure error={sent.error} fields={Object.keys(MOST)} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={sent.isPending}>
            {changing.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
