// Who a partner is, whom to call, and what was noted.

import type { IntegrationPage } from '@clinic-data/console-parts/api'
import { Fact } from '@clinic-data/console-parts/shown/fact'
import { useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Card } from '@mantine/core'
import { useSees } from '../roles.ts'
import { IntegrationBadge } from './integration-badge.tsx'

export function Who({ integration }: { integration: IntegrationPage }) {
  const { integrations: words } = useIntegrationWords()
  const times = useTimes()
  const sees = useSees()
  const { contact, notes, created_at, last_used_at } = integration
  return (
    <Card withBorder padding="lg">
      <dl className="connection-facts">
        <Fact name={words.columns.state}>
          <IntegrationBadge integration={integration} />
        </Fact>
        <Fact name={words.columns.used}>{last_used_at === null ? words.never : times.moment(last_used_at)}</Fact>
        <Fact name={words.since}>{times.day(created_at)}</Fact>
        {sees('contact') && (
          <Fact name={words.contact}>{contact === null ? words.noContact : <Written text={contact} />}</Fact>
        )}
        {notes !== null && (
          <Fact name={words.notes}>
            <Written text={notes} />
          </Fact>
        )}
      </dl>
    </Card>
  )
}

/** Line by line, each in its own direction. */
function Written({ text }: { text: string }) {
  return (
    <span className="written" dir="auto">
      {text}
    </span>
  )
}
