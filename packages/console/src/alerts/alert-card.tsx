// One alert: its reason in words, where to look further, and who has looked at it.

import type { Alert } from '@clinic-data/console-parts/api'
import { ActorName } from '@clinic-data/console-parts/shown/actor-name'
import { Fact } from '@clinic-data/console-parts/shown/fact'
import { useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { useRef } from 'react'
import { IntegrationName } from '../belonging/integration-name.tsx'
import { OpenLink } from '../belonging/open-link.tsx'
import { PlaceLink } from '../places.tsx'
import { useReasonOf } from './reason.ts'
import { SeeButton } from './see-button.tsx'

export function AlertCard({ alert }: { alert: Alert }) {
  const { alerts: words } = useIntegrationWords()
  const card = useRef<HTMLDivElement>(null)
  const { rule, seen_at } = alert
  const title = words.rules[rule]
  const reason = useReasonOf()(alert)
  return (
    <Card withBorder padding="lg" component="article" aria-label={title} ref={card} tabIndex={-1}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm" align="flex-start">
          <div className="alert-words">
            <Title order={2} size="h5">
              {title}
            </Title>
            <Text className="broken-anywhere">{reason}</Text>
          </div>
          <span className="tone status" data-tone={seen_at === null ? 'bad' : 'quiet'}>
            {seen_at === null ? words.state.unseen : words.state.seen}
          </span>
        </Group>
        <Facts alert={alert} />
        <Group justify="space-between" gap="sm">
          <ActivityLink alert={alert} />
          {seen_at === null && <SeeButton alert={alert} title={reason} onSeen={() => card.current?.focus()} />}
        </Group>
      </Stack>
    </Card>
  )
}

/** A key that is refused because it has ended has no rows of it. What it did before has. */
function ActivityLink({ alert: { rule, key, day } }: { alert: Alert }) {
  const { alerts: words } = useIntegrationWords()
  const hasEnded = rule === 'ended_key' || rule === 'stopped_partner'
  const filters = { actor: key.id, ...(!hasEnded && { from: day, to: day }) }
  return (
    <Text size="sm">
      <PlaceLink to="activity" search={`?${new URLSearchParams(filters)}`}>
        {hasEnded ? words.before : words.activity}
      </PlaceLink>
    </Text>
  )
}

function Facts({ alert: { key, integration, day, noticed_at, seen_at, seen_by, stopped_at } }: { alert: Alert }) {
  const { alerts: words } = useIntegrationWords()
  const times = useTimes()
  return (
    <dl className="connection-facts">
      <Key who={key} />
      {integration !== null && (
        <Fact name={words.integration} hints={[words.stop]}>
          <IntegrationName of={integration} />
        </Fact>
      )}
      <Fact name={words.day} hints={[words.noticed(times.moment(noticed_at))]}>
        {times.date(day)}
      </Fact>
      {stopped_at !== null && (
        <Fact name={words.stopped} hints={[words.undone]}>
          {times.moment(stopped_at)}
        </Fact>
      )}
      {seen_by !== null && seen_at !== null && (
        <Fact name={words.seen} hints={[times.moment(seen_at)]}>
          <bdi>{seen_by.name}</bdi>
        </Fact>
      )}
    </dl>
  )
}

/** One that nobody knows any more, and a token, have no page. */
function Key({ who }: { who: Alert['key'] }) {
  const { alerts: words } = useIntegrationWords()
  const { kind, id } = who
  const name = <ActorName who={who} />
  return (
    <Fact name={kind === 'connection' || kind === 'token' ? words.key[kind] : words.key.key}>
      {kind === 'key' || kind === 'connection' ? (
        <OpenLink to={`${kind}s`} search={`?${new URLSearchParams({ [kind]: id })}`}>
          {name}
        </OpenLink>
      ) : (
        name
      )}
    </Fact>
  )
}
