// Asks before something is ended for good, and says what that ends. It closes when it is done, or nobody wants it.

import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { hasStatus, isChangedMeanwhile } from '../requests/refusal.ts'
import { useActing } from '../requests/use-acting.ts'
import { Dialog } from './dialog.tsx'
import { Failure, Refused } from './failure.tsx'

interface AskFirstProps {
  /** Null: the dialog is closed. */
  title: string | null
  children: ReactNode
  /** The words of the button that does it. */
  submit: string
  /** Said where it contradicts what is there. */
  conflict?: string
  act: () => Promise<unknown>
  onClose: () => void
}

export function AskFirst({ title, onClose, ...question }: AskFirstProps) {
  return (
    <Dialog title={title} isOpen={title !== null} onClose={onClose} size="question">
      <Question {...question} onClose={onClose} />
    </Dialog>
  )
}

function Question({ children, submit, conflict, act, onClose }: Omit<AskFirstProps, 'title'>) {
  const { cancel } = useWords()
  const sent = useActing({ act, onDone: onClose })
  return (
    <Stack gap="md">
      {children}
      {conflict !== undefined && hasStatus(sent.error, 409) && !isChangedMeanwhile(sent.error) ? (
        <Refused text={conflict} />
      ) : (
        <Failure error={sent.error} />
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel}
        </Button>
        <Button color="red" loading={sent.isPending} onClick={() => sent.act()}>
          {submit}
        </Button>
      </Group>
    </Stack>
  )
}
