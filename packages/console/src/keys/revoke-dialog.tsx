// Asks before a key is revoked, and says what that ends.
import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type ConsoleKey } from '../api.ts'
import { KEYS } from '../requests/query-client.ts'
import { Failure } from '../shown/failure.tsx'
import { useWords } from '../words/language.tsx'
import { maskedKey } from './key-state.ts'

interface RevokeDialogProps {
  /** Null: the dialog is closed. */
  revoked: ConsoleKey | null
  onClose: () => void
}

export function RevokeDialog({ revoked, onClose }: RevokeDialogProps) {
  const words = useWords()
  return (
    <Modal
      opened={revoked !== null}
      onClose={onClose}
      title={revoked && words.revoke.title(revoked.name)}
      closeButtonProps={{ 'aria-label': words.close }}
      centered
    >
      {revoked && <Question revoked={revoked} onClose={onClose} />}
    </Modal>
  )
}

function Question({ revoked, onClose }: { revoked: ConsoleKey; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const sent = useMutation({
    mutationFn: () => api.revokeKey(revoked.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: KEYS })
      onClose()
    },
  })
  const { requests_24h } = revoked
  return (
    <Stack gap="md">
      <Text>
        <Code dir="ltr">{maskedKey(revoked)}</Code>
      </Text>
      <Text>{words.revoke.text}</Text>
      {requests_24h > 0 && (
        <Alert color="orange" variant="outline" c="var(--console-warning)">
          {words.revoke.used(words.keys.requests(requests_24h))}
        </Alert>
      )}
      <Failure error={sent.error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.cancel}
        </Button>
        <Button color="red" loading={sent.isPending} onClick={() => sent.mutate()}>
          {words.revoke.submit}
        </Button>
      </Group>
    </Stack>
  )
}
