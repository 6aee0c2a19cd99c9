// Asks before a connection is ended, and says what that ends.

import { api, type Connection } from '@clinic-data/console-parts/api'
import { CONNECTIONS } from '@clinic-data/console-parts/requests/query-client'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useWords } from '@clinic-data/console-words/language'
import { Alert, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'

interface EndDialogProps {
  /** Null: the dialog is closed. */
  connection: Connection | null
  onClose: () => void
}

export function EndDialog({ connection, onClose }: EndDialogProps) {
  const { keys } = useWords()
  const { connections } = useAppWords()
  const { ending } = connections
  const client = useQueryClient()
  const end = async () => {
    await api.endConnection(connection?.id ?? '')
    await client.invalidateQueries({ queryKey: CONNECTIONS })
  }
  const used = connection?.requests_24h ?? 0
  return (
    <AskFirst
      title={connection && ending.title(connection.app.name)}
      submit={ending.submit}
      act={end}
      onClose={onClose}
    >
      <Text>{ending.text}</Text>
      {used > 0 && (
        <Alert color="orange" variant="outline" c="var(--console-warning)">
          {ending.used(keys.requests(used))}
        </Alert>
      )}
    </AskFirst>
  )
}
