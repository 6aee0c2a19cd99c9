// The steps after a key leaked, in their order, each with the way to take it.

import type { ConsoleKey } from '@clinic-data/console-parts/api'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { Anchor, Card, Title } from '@mantine/core'
import { IntegrationName } from '../belonging/integration-name.tsx'
import { PlaceLink } from '../places.tsx'

interface LeakedProps {
  leaked: ConsoleKey
  /** Otherwise the first step is done. */
  works: boolean
  onRevoke: () => void
  onRotate: () => void
}

export function Leaked({ leaked: { id, integration }, works, onRevoke, onRotate }: LeakedProps) {
  const { keys } = useWords()
  const { keyPage } = useIntegrationWords()
  const { leaked: words } = keyPage
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h5" mb="xs">
        {words.title}
      </Title>
      <ol className="leaked">
        {works && (
          <li>
            {words.revoke} <Act onAct={onRevoke}>{keys.revoke}</Act>
          </li>
        )}
        <li>
          {words.look}{' '}
          <PlaceLink to="activity" search={`?${new URLSearchParams({ actor: id })}`}>
            {keyPage.activity}
          </PlaceLink>
        </li>
        <li>
          {words.again} <Act onAct={onRotate}>{words.newKey}</Act>
        </li>
        {integration && (
          <li>
            {words.stop} <IntegrationName of={integration} />
          </li>
        )}
      </ol>
    </Card>
  )
}

function Act({ onAct, children }: { onAct: () => void; children: string }) {
  return (
    <Anchor component="button" type="button" inherit underline="always" onClick={onAct}>
      {children}
    </Anchor>
  )
}
