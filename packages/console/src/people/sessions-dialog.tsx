// Where a person is signed in. Each session can be ended, and all of them.

import { api, type Person, type PersonSession } from '@clinic-data/console-parts/api'
import { PEOPLE } from '@clinic-data/console-parts/requests/query-client'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { browserName } from './browser-name.ts'
import { useReadAgain } from './use-people.ts'

interface SessionsDialogProps {
  /** Null: the dialog is closed. */
  person: Person | null
  onClose: () => void
}

export function SessionsDialog({ person, onClose }: SessionsDialogProps) {
  const { sessionsOf } = usePeopleWords().people
  return (
    <Dialog title={person && sessionsOf.title(person.name)} isOpen={person !== null} onClose={onClose}>
      {person && <Sessions person={person} />}
    </Dialog>
  )
}

function Sessions({ person }: { person: Person }) {
  const { sessionsOf } = usePeopleWords().people
  const { id } = person
  const listed = useQuery({ queryKey: [...PEOPLE, id, 'sessions'], queryFn: () => api.listPersonSessions(id) })
  const ending = useEnding(person)
  const sessions = listed.data ?? []
  return (
    <Stack gap="md">
      {listed.data === undefined && !listed.error && <Skeleton height={80} aria-hidden="true" />}
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
      {listed.data?.length === 0 && <Text c="dimmed">{sessionsOf.none}</Text>}
      {sessions.length > 0 && (
        <ul className="person-sessions">
          {sessions.map((session) => (
            <Session key={session.id} session={session} person={person} />
          ))}
        </ul>
      )}
      <Failure error={ending.error} />
      {sessions.length > 1 && (
        <Group justify="flex-end">
          <Button variant="default" loading={ending.isPending} onClick={() => ending.act(undefined)}>
            {sessionsOf.all}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** Without an id all of them end. */
function useEnding(person: Person) {
  const readAgain = useReadAgain()
  return useActing({
    act: (session_id: string | undefined) => api.endPersonSessions(person.id, session_id),
    after: () => readAgain(person),
  })
}

function Session({ session, person }: { session: PersonSession; person: Person }) {
  const { sessionsOf, since } = usePeopleWords().people
  const times = useTimes()
  const { way, paired_clinic, created_at, seen_at, user_agent, is_this } = session
  const browser = browserName(user_agent) ?? sessionsOf.unknown
  const ending = useEnding(person)
  return (
    <li>
      <div className="person-session">
        <Text fw={600}>
          <bdi>{browser}</bdi>
          {is_this && ` (${sessionsOf.this})`}
        </Text>
        <Text size="sm" c="dimmed">
          {since(times.moment(created_at))} {way !== null && sessionsOf.ways[way]}
          {paired_clinic !== null && sessionsOf.from(paired_clinic)}
          {' · '}
          {sessionsOf.seen(times.moment(seen_at))}
        </Text>
        <Failure error={ending.error} />
      </div>
      <Button
        size="xs"
        variant="default"
        aria-label={sessionsOf.endOf(browser)}
        loading={ending.isPending}
        onClick={() => ending.act(session.id)}
      >
        {sessionsOf.end}
      </Button>
    </li>
  )
}
