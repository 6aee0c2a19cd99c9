// Asks before a passkey is removed, and says what is left to do on the device.
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type ConsolePasskey } from '../api.ts'
import { PASSKEYS, SESSION } from '../requests/query-client.ts'
import { hasStatus } from '../requests/refusal.ts'
import { Failure } from '../shown/failure.tsx'
import { useWords } from '../words/language.tsx'

interface RemovePasskeyProps {
  /** Null: the dialog is closed. */
  removed: ConsolePasskey | null
  onClose: () => void
}

export function RemovePasskey({ removed, onClose }: RemovePasskeyProps) {
  const words = useWords()
  return (
    <Modal
      opened={removed !== null}
      onClose={onClose}
      title={removed && words.account.passkeys.removeTitle(removed.name)}
      closeButtonProps={{ 'aria-label': words.close }}
      transitionProps={{ duration: 0 }}
      centered
    >
      {removed && <Question id={removed.id} onClose={onClose} />}
    </Modal>
  )
}

function Question({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords()
  const { passkeys } = words.account
  const client = useQueryClient()
  const sent = useMutation({
    // Another tab may have removed it: it is gone, as wanted.
    mutationFn: () =>
      api.removePasskey(id).catch((error) => (hasStatus(error, 404) ? undefined : Promise.reject(error))),
    onSuccess: async () => {
      await Promise.all([PASSKEYS, SESSION].map((queryKey) => client.invalidateQueries({ queryKey })))
      onClose()
    },
  })
  return (
    <Stack gap="md">
      <Text>{passkeys.removeText}</Text>
      <Failure error={sent.error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.cancel}
        </Button>
        <Button color="red" loading={sent.isPending} onClick={() => sent.mutate()}>
          {passkeys.removeSubmit}
        </Button>
      </Group>
    </Stack>
  )
}
