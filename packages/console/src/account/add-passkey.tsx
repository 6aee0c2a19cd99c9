// Adds a passkey: it gets a name, then the device asks for the person's finger, face or PIN.

import { api, type ConsolePasskey } from '@clinic-data/console-parts/api'
import { useDraft } from '@clinic-data/console-parts/requests/draft'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { PASSKEYS, SESSION } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { useSession } from '@clinic-data/console-parts/session'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { deviceRefusal, makePasskey } from './device.ts'

/** The draft of its form. */
export const NEW_PASSKEY = 'new passkey'

interface AddPasskeyProps {
  isOpen: boolean
  known: readonly ConsolePasskey[]
  onClose: () => void
}

export function AddPasskey({ isOpen, known, onClose }: AddPasskeyProps) {
  const { passkeys } = useWords().account
  return (
    <Dialog title={passkeys.add} isOpen={isOpen} onClose={onClose} isForm size="question">
      <Form known={known} onClose={onClose} />
    </Dialog>
  )
}

function Form({ known, onClose }: Omit<AddPasskeyProps, 'isOpen'>) {
  const words = useWords()
  const { passkeys } = words.account
  const { administrator, clinic } = useSession()
  const client = useQueryClient()
  const [name, setName] = useDraft(`${NEW_PASSKEY} name`, '')
  const sent = useActing({
    act: async () => {
      const challenge = await api.passkeyChallenge()
      const made = await makePasskey({ challenge, email: administrator.email, clinic: clinic.name, known })
      await api.addPasskey({ name: name.trim(), ...made })
    },
    onDone: onClose,
    after: () => Promise.all([PASSKEYS, SESSION].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sent.act()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label={passkeys.name}
          description={passkeys.nameHint}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          maxLength={200}
          error={faultText(sent.error, 'name', words)}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          {passkeys.next}
        </Text>
        <NotAdded error={sent.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={sent.isPending}>
            {passkeys.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function NotAdded({ error }: { error: unknown }) {
  const { passkeys } = useWords().account
  const refusal = deviceRefusal(error)
  if (refusal !== null) return <Refused text={passkeys.device[refusal]} />
  if (hasStatus(error, 409)) return <Refused text={passkeys.device.known} />
  if (hasStatus(error, 422)) return <Refused text={passkeys.device.stopped} />
  return <Failure error={error} fields={['name']} />
}
