// Mints an ingest token, and shows it once.

import { api, type MintedConsoleToken } from '@clinic-data/console-parts/api'
import { useDraft } from '@clinic-data/console-parts/requests/draft'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useMinting } from '@clinic-data/console-parts/requests/use-minting'
import { CopyText } from '@clinic-data/console-parts/shown/copy'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useHeld } from '@clinic-data/console-parts/shown/held'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { TOKENS } from './tokens.ts'

/** The draft of its form. */
export const NEW_TOKEN = 'new token'

export function MintTokenDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { clinic } = useWords()
  const [minted, setMinted] = useState<MintedConsoleToken | null>(null)
  const close = () => {
    onClose()
    setMinted(null)
  }
  return (
    <Dialog title={minted ? clinic.shownTitle : clinic.mintTitle} isOpen={isOpen} onClose={close} isForm>
      {minted ? <Shown token={minted.token} onDone={close} /> : <Form onMinted={setMinted} onCancel={close} />}
    </Dialog>
  )
}

function Form({ onMinted, onCancel }: { onMinted: (minted: MintedConsoleToken) => void; onCancel: () => void }) {
  const words = useWords()
  const { clinic } = words
  const [name, setName] = useDraft(`${NEW_TOKEN} name`, '')
  const { mint, error, isPending } = useMinting({ mint: api.mintToken, listed: TOKENS, onMinted })
  useHeld(isPending)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mint({ name: name.trim() })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          label={clinic.name}
          description={clinic.nameHint}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={faultText(error, 'name', words)}
          required
          withAsterisk={false}
          maxLength={200}
          data-autofocus
        />
        {hasStatus(error, 409) ? <Refused text={clinic.already} /> : <Failure error={error} fields={['name']} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={isPending} onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {clinic.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Shown({ token, onDone }: { token: string; onDone: () => void }) {
  const { clinic } = useWords()
  useHeld()
  return (
    <Stack gap="lg">
      <Text>{clinic.shownText}</Text>
      <CopyText label={clinic.token} text={token} isMain />
      <CopyText label={clinic.use} text={`Authorization: Bearer ${token}`} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {clinic.done}
        </Button>
      </Group>
    </Stack>
  )
}
