// How a subscription does, in words.

import type { WebhookHealth } from '@clinic-data/console-parts/api'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { Badge, Text } from '@mantine/core'
import { failureWords } from '../deliveries/failure-words.ts'
import { type State, type Subscription, stateOf } from './subscriptions.ts'

const TONES: Record<State, string> = {
  works: 'good',
  idle: 'quiet',
  failing: 'bad',
  paused: 'bad',
  stopped: 'quiet',
  disabled: 'quiet',
}

interface StateProps {
  webhook: Subscription
  health: WebhookHealth | undefined
}

export function StateBadge({ webhook, health }: StateProps) {
  const { webhooks } = useWords()
  const state = stateOf(webhook, health)
  return (
    <Badge className="tone" data-tone={TONES[state]} variant="default" tt="none" fw={600}>
      {webhooks.state[state]}
    </Badge>
  )
}

/** The state in a sentence, and the last failure with what to mend. */
export function StateText({ webhook, health }: StateProps) {
  const { webhooks } = useWords()
  const times = useTimes()
  const state = stateOf(webhook, health)
  const { disabled_at, disabled_reason } = webhook
  const { stateText, reason } = webhooks
  const isFailing = state === 'failing' || state === 'paused'
  return (
    <div className="state-text">
      {state === 'works' && <Text>{stateText.works}</Text>}
      {state === 'idle' && <Text>{stateText.idle}</Text>}
      {state === 'failing' && <Text>{stateText.failing(times.moment(health?.failing_since ?? ''))}</Text>}
      {state === 'paused' && (
        <Text>
          {stateText.paused(
            times.moment(health?.opened_at ?? ''),
            health?.probe_at ? times.clock(Date.parse(health.probe_at)) : null,
          )}
        </Text>
      )}
      {state === 'stopped' && (
        <Text>
          {stateText.stopped(times.moment(disabled_at ?? webhook.created_at))}{' '}
          {disabled_reason?.includes('secret') && reason.secretLost}
        </Text>
      )}
      {state === 'disabled' && (
        <Text>
          {stateText.disabled(times.moment(disabled_at ?? webhook.created_at))}{' '}
          {disabled_reason !== null && (disabled_reason.includes('410') ? reason.gone : reason.failing)}
        </Text>
      )}
      {isFailing && health?.last_failure && <LastFailure failure={health.last_failure} />}
    </div>
  )
}

function LastFailure({ failure }: { failure: NonNullable<WebhookHealth['last_failure']> }) {
  const { webhooks } = useWords()
  const times = useTimes()
  const [happened, mend] = failureWords(webhooks.failures, failure)
  return (
    <Text mt={6}>
      {webhooks.lastFailure}, {times.moment(failure.at)}: <strong>{happened}</strong>. {mend}
    </Text>
  )
}
