// Asks before an ingest token is revoked, and says what that ends.
import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type ConsoleToken } from '../api.ts'
import { Failure } from '../shown/failure.tsx'
import { useWords } from '../words/language.tsx'
import { maskedToken, TOKENS } from './tokens.ts'

interface RevokeTokenDialogProps {
  /** Null: the dialog is closed. */
  revoked: ConsoleToken | null
  onClose: () => void
}

export function RevokeTokenDialog({ revoked, onClose }: RevokeTokenDialogProps) {
  const words = useWords()
  return (
    <Modal
      opened={revoked !== null}
      onClose={onClose}
      title={revoked && words.clinic.revokeTitle(revoked.name)}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': words.close }}
      centered
    >
      {revoked && <Question revoked={revoked} onClose={onClose} />}
    </Modal>
  )
}

function Question({ revoked, onClose }: { revoked: ConsoleToken; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const sent = useMutation({
    mutationFn: () => api.revokeToken(revoked.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: TOKENS })
      onClose()
    },
  })
  return (
    <Stack gap="md">
      <Text>
        <Code dir="ltr">{maskedToken(revoked)}</Code>
      </Text>
      <Text>{words.clinic.revokeText}</Text>
      <Failure error={sent.error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.cancel}
        </Button>
        <Button color="red" loading={sent.isPending} onClick={() => sent.mutate()}>
          {words.clinic.revokeSubmit}
        </Button>
      </Group>
    </Stack>
  )
}
