// Asks before a passkey is removed, and says what is left to do on the device.

import { api, type ConsolePasskey } from '@clinic-data/console-parts/api'
import { PASSKEYS, SESSION } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { useWords } from '@clinic-data/console-words/language'
import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'

interface RemovePasskeyProps {
  /** Null: the dialog is closed. */
  removed: ConsolePasskey | null
  onClose: () => void
}

export function RemovePasskey({ removed, onClose }: RemovePasskeyProps) {
  const { passkeys } = useWords().account
  const client = useQueryClient()
  const remove = async () => {
    // Another tab may have removed it: it is gone, as wanted.
    await api
      .removePasskey(removed?.id ?? '')
      .catch((error) => (hasStatus(error, 404) ? undefined : Promise.reject(error)))
    await Promise.all([PASSKEYS, SESSION].map((queryKey) => client.invalidateQueries({ queryKey })))
  }
  return (
    <AskFirst
      title={removed && passkeys.removeTitle(removed.name)}
      submit={passkeys.removeSubmit}
      act={remove}
      onClose={onClose}
    >
      <Text>{passkeys.removeText}</Text>
    </AskFirst>
  )
}
