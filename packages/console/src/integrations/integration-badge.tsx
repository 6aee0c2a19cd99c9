// How an integration does, in a word.

import type { Integration } from '@clinic-data/console-parts/api'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Badge } from '@mantine/core'
import { stateOf } from './integration-state.ts'

const TONES = { active: 'good', failing: 'bad', stopped: 'bad', unused: 'quiet', ended: 'quiet' } as const

export function IntegrationBadge({ integration }: { integration: Integration }) {
  const { integrations } = useIntegrationWords()
  const state = stateOf(integration)
  return (
    <Badge className="tone" data-tone={TONES[state]} variant="default" tt="none" fw={600}>
      {integrations.state[state]}
    </Badge>
  )
}
