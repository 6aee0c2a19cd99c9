// Shows what came of something that was approved: a key, a secret or a link, each once.

import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { useApprovalWords } from '@clinic-data/console-words/approval-words'
import { useWords } from '@clinic-data/console-words/language'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Button, Group, Stack, Text } from '@mantine/core'
import { ShownOnce } from '../keys/shown-once.tsx'
import { Erased } from '../patients/erased.tsx'
import { LinkOnce } from '../people/invite-dialog.tsx'
import { SecretOnce } from '../webhooks/secret-once.tsx'
import type { Finished } from './requested.ts'

/** @param finished null: the dialog is closed. */
export function FinishedDialog({ finished, onClose }: { finished: Finished | null; onClose: () => void }) {
  const { shown, webhooks } = useWords()
  const { people } = usePeopleWords()
  const words = useApprovalWords()
  const patients = usePatientWords()
  const erased = patients.done.title
  const titles = {
    key: shown.title,
    webhook: webhooks.once.title,
    invitation: people.made.title,
    erased,
    done: words.done,
  }
  return (
    <Dialog
      title={finished && titles[finished.kind]}
      isOpen={finished !== null}
      onClose={onClose}
      size={finished?.kind === 'done' ? 'question' : 'xl'}
    >
      {finished && <Shown finished={finished} onDone={onClose} />}
    </Dialog>
  )
}

function Shown({ finished, onDone }: { finished: Finished; onDone: () => void }) {
  const { webhooks } = useWords()
  const words = useApprovalWords()
  if (finished.kind === 'key') return <ShownOnce minted={finished.minted} isRotation={false} onDone={onDone} />
  if (finished.kind === 'webhook')
    return <SecretOnce secret={finished.secret} text={webhooks.once.text} onDone={onDone} />
  if (finished.kind === 'invitation') return <LinkOnce made={finished.made} onDone={onDone} />
  return (
    <Stack gap="md">
      {finished.kind === 'erased' ? <Erased done={finished.erasure} /> : <Text>{words.finished}</Text>}
      <Group justify="flex-end">
        <Button onClick={onDone}>{words.close}</Button>
      </Group>
    </Stack>
  )
}
