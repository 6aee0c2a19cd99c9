// The people whose role comes from a group and who keep connected apps, the longest away first: each can have the apps ended.

import type { Person } from '@clinic-data/console-parts/api'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { useTimes } from '@clinic-data/console-parts/times'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Button, Card, Stack, Text } from '@mantine/core'

interface GroupAppsCardProps {
  people: readonly Person[]
  onEnd: (person: Person) => void
}

const lastSeen = ({ last_seen_at }: Person) => (last_seen_at === null ? 0 : Date.parse(last_seen_at))

export function GroupAppsCard({ people, onEnd }: GroupAppsCardProps) {
  const { groupApps: words } = usePeopleWords().people
  const times = useTimes()
  const theirs = people
    .filter(({ role_group, connections }) => role_group !== null && connections > 0)
    .toSorted((a, b) => lastSeen(a) - lastSeen(b))
  if (theirs.length === 0) return null
  return (
    <Card withBorder padding="lg" component="section" aria-label={words.title}>
      <Stack gap="md">
        <CardHead title={words.title} text={words.text} />
        <ul className="group-roles">
          {theirs.map((person) => (
            <li key={person.id}>
              <div className="group-role">
                <Text fw={600} className="broken-anywhere">
                  <bdi>{person.name}</bdi>
                </Text>
                <Text size="sm" c="dimmed">
                  <bdi>{person.role_group}</bdi>
                  {' · '}
                  {person.last_seen_at === null ? words.never : words.seen(times.moment(person.last_seen_at))}{' '}
                  {words.apps(person.connections)}
                </Text>
              </div>
              <Button variant="default" aria-label={words.endOf(person.name)} onClick={() => onEnd(person)}>
                {words.end}
              </Button>
            </li>
          ))}
        </ul>
      </Stack>
    </Card>
  )
}
