// Changes the role of a person.

import { api, type BodyOf, type Person, type Role } from '@clinic-data/console-parts/api'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useChange } from '@clinic-data/console-parts/requests/use-change'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { ChangedMeanwhile, Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useProvider } from '../provider.ts'
import { RoleChoice } from './role-choice.tsx'
import { useReadAgain } from './use-people.ts'

interface RoleDialogProps {
  /** Null: the dialog is closed. */
  person: Person | null
  onClose: () => void
}

export function RoleDialog({ person, onClose }: RoleDialogProps) {
  const { people } = usePeopleWords()
  return (
    <Dialog title={person && people.role.title(person.name)} isOpen={person !== null} onClose={onClose} isForm>
      {person && <Form person={person} onClose={onClose} />}
    </Dialog>
  )
}

function Form({ person, onClose }: { person: Person; onClose: () => void }) {
  const { cancel } = useWords()
  const { people, signInRule } = usePeopleWords()
  const { roles } = useRoleWords()
  const provider = useProvider()?.name ?? signInRule.provider
  const [role, setRole] = useState<Role>(person.role)
  const readAgain = useReadAgain()
  const sent = useChange({
    stored: { role: person.role },
    look: async () => ({ role: (await api.listPeople()).data.find(({ id }) => id === person.id)?.role ?? person.role }),
    act: (body: BodyOf<'changeRole'>) => api.changeRole(person.id, body),
    onDone: onClose,
    after: () => readAgain(person),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (role === sent.opened.role && person.group_ended_at === null) onClose()
    else sent.act({ role })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <RoleChoice role={role} onChange={setRole} isFirst />
        <Text size="sm" c="dimmed">
          {people.role.text}
        </Text>
        {person.role_group !== null && (
          <Text size="sm">
            {person.group_ended_at === null ? people.role.byGroup(person.role_group, provider) : people.role.noGroup}
          </Text>
        )}
        {sent.now ? (
          <ChangedMeanwhile now={[[people.columns.role, roles[sent.now.role][0]]]} />
        ) : hasStatus(sent.error, 409) ? (
          <Refused text={person.role === 'owner' ? people.lastOwner : people.role.disabled} />
        ) : (
          <Failure error={sent.error} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" loading={sent.isPending}>
            {people.role.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
