// Asks before an ingest token is revoked, and says what that ends.

import { api, type ConsoleToken } from '@clinic-data/console-parts/api'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { useWords } from '@clinic-data/console-words/language'
import { Code, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { maskedToken, TOKENS } from './tokens.ts'

interface RevokeTokenDialogProps {
  /** Null: the dialog is closed. */
  revoked: ConsoleToken | null
  onClose: () => void
}

export function RevokeTokenDialog({ revoked, onClose }: RevokeTokenDialogProps) {
  const { clinic } = useWords()
  const client = useQueryClient()
  const revoke = async () => {
    await api.revokeToken(revoked?.id ?? '')
    await client.invalidateQueries({ queryKey: TOKENS })
  }
  const title = revoked && clinic.revokeTitle(revoked.name)
  return (
    <AskFirst title={title} submit={clinic.revokeSubmit} act={revoke} onClose={onClose}>
      <Text>
        <Code dir="ltr">{revoked && maskedToken(revoked)}</Code>
      </Text>
      <Text>{clinic.revokeText}</Text>
    </AskFirst>
  )
}
