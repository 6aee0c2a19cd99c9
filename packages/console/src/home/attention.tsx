// Shows what an administrator has to look after: what fails, what is stopped, what runs out soon.

import type { Home } from '@clinic-data/console-parts/api'
import { useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Card, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { IntegrationName } from '../belonging/integration-name.tsx'
import { PlaceLink } from '../places.tsx'
import { MemberLink } from './member-link.tsx'

export function Attention({ home: { integrations, expiring, waiting_approvals } }: { home: Home }) {
  const { attention: words } = useIntegrationWords().home
  const times = useTimes()
  const failing = integrations.filter(({ stopped_at, failing_webhooks }) => stopped_at === null && failing_webhooks > 0)
  const stopped = integrations.filter(({ stopped_at }) => stopped_at !== null)
  const isNothing = waiting_approvals + failing.length + stopped.length + expiring.length === 0
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {words.title}
      </Title>
      <Card withBorder padding={isNothing ? 'lg' : 0} className="attention" data-nothing={isNothing || undefined}>
        {isNothing ? (
          <Text>{words.none}</Text>
        ) : (
          <ul className="home-list">
            {waiting_approvals > 0 && (
              <Line tone="warning" what={<PlaceLink to="approvals">{words.approvals}</PlaceLink>}>
                {words.waiting(waiting_approvals)}
              </Line>
            )}
            {failing.map((one) => (
              <Line key={one.id} tone="bad" what={<IntegrationName of={one} />}>
                {words.failing(one.failing_webhooks)}
              </Line>
            ))}
            {stopped.map((one) => (
              <Line key={one.id} tone="bad" what={<IntegrationName of={one} />}>
                {words.stopped(times.moment(one.stopped_at ?? ''))}
              </Line>
            ))}
            {expiring.map((one) => (
              <Line key={one.id} tone="warning" what={<MemberLink {...one} />}>
                {words.runsOut[one.kind](times.day(one.expires_at))}
                {one.integration.name !== one.name && (
                  <>
                    {' · '}
                    <IntegrationName of={one.integration} />
                  </>
                )}
              </Line>
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}

function Line({ tone, what, children }: { tone: 'bad' | 'warning'; what: ReactNode; children: ReactNode }) {
  return (
    <li data-tone={tone}>
      <span className="home-what">{what}</span>
      <span>{children}</span>
    </li>
  )
}
