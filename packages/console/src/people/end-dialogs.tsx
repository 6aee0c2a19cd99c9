// Asks before a person is disabled or removed, or an invitation withdrawn, and says what follows from it.

import { api, type Invitation, type Person } from '@clinic-data/console-parts/api'
import { CONNECTIONS, PEOPLE } from '@clinic-data/console-parts/requests/query-client'
import { useSession } from '@clinic-data/console-parts/session'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useReadAgain } from './use-people.ts'

interface PersonDialogProps {
  /** Null: the dialog is closed. */
  person: Person | null
  onClose: () => void
}

interface EndingProps extends PersonDialogProps {
  words: { title: (name: string) => string; text: string; submit: string }
  act: (id: string) => Promise<unknown>
  /** The person goes on, and so do the apps. */
  keepsAccess?: boolean
}

function Ending({ person, onClose, words, act, keepsAccess = false }: EndingProps) {
  const { people } = usePeopleWords()
  const { administrator } = useSession()
  const readAgain = useReadAgain()
  const acting = async () => {
    if (person === null) return
    await act(person.id)
    await readAgain(person)
  }
  return (
    <AskFirst
      title={person && words.title(person.name)}
      submit={words.submit}
      conflict={people.lastOwner}
      act={acting}
      onClose={onClose}
    >
      <Text>{words.text}</Text>
      {!keepsAccess && person !== null && person.connections > 0 && <Text>{people.apps(person.connections)}</Text>}
      {!keepsAccess && person?.id === administrator.id && <Text fw={600}>{people.yourself}</Text>}
    </AskFirst>
  )
}

export function DisableDialog(props: PersonDialogProps) {
  return <Ending {...props} words={usePeopleWords().people.disabling} act={api.disablePerson} />
}

export function EndPairingsDialog(props: PersonDialogProps) {
  return <Ending {...props} words={usePeopleWords().people.endingPairings} act={api.endPersonPairings} keepsAccess />
}

/** It shows which apps these are. */
export function EndAppsDialog({ person, onClose }: PersonDialogProps) {
  const { endingApps } = usePeopleWords().people
  const readAgain = useReadAgain()
  const client = useQueryClient()
  const listed = useQuery({
    queryKey: CONNECTIONS,
    queryFn: () => api.listConnections(false),
    enabled: person !== null,
  })
  const act = async () => {
    if (person === null) return
    await api.endPersonConnections(person.id)
    await Promise.all([readAgain(person), client.invalidateQueries({ queryKey: CONNECTIONS })])
  }
  const theirs = (listed.data ?? []).filter(
    ({ connected_by, ended_at, expires_at }) =>
      connected_by.id === person?.id &&
      ended_at === null &&
      (expires_at === null || Date.parse(expires_at) > Date.now()),
  )
  return (
    <AskFirst title={person && endingApps.title(person.name)} submit={endingApps.submit} act={act} onClose={onClose}>
      <ul>
        {theirs.map(({ id, app }) => (
          <li key={id}>
            <bdi>{app.name}</bdi>
          </li>
        ))}
      </ul>
      <Text>{endingApps.text}</Text>
    </AskFirst>
  )
}

export function RemoveDialog(props: PersonDialogProps) {
  return <Ending {...props} words={usePeopleWords().people.removing} act={api.removePerson} />
}

interface WithdrawDialogProps {
  /** Null: the dialog is closed. */
  invitation: Invitation | null
  onClose: () => void
}

export function WithdrawDialog({ invitation, onClose }: WithdrawDialogProps) {
  const { withdrawing } = usePeopleWords().people
  const client = useQueryClient()
  const act = async () => {
    await api.withdrawInvitation(invitation?.id ?? '')
    await client.invalidateQueries({ queryKey: PEOPLE })
  }
  return (
    <AskFirst
      title={invitation && withdrawing.title(invitation.name)}
      submit={withdrawing.submit}
      conflict={withdrawing.late}
      act={act}
      onClose={onClose}
    >
      <Text>{withdrawing.text}</Text>
    </AskFirst>
  )
}
