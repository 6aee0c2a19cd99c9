// The last 24 hours: its deliveries in a sentence, and its attempts, one bar an hour, what failed on top of what arrived. It runs in the
// reader's direction.

import type { WebhookHealth } from '@clinic-data/console-parts/api'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import type { COUNTED_DELIVERIES } from '@clinic-data/contract/limits'
import { Text } from '@mantine/core'

const HOUR_MS = 3_600_000

/** The service counts no more of them. The compiler compares the number. */
const MOST_COUNTED: typeof COUNTED_DELIVERIES = 1_000

export function HealthChart({ health, isLarge = false }: { health: WebhookHealth; isLarge?: boolean }) {
  const { webhooks } = useWords()
  const times = useTimes()
  const { delivered, failed, since } = health
  const most = Math.max(1, ...delivered.map((number, hour) => number + (failed[hour] ?? 0)))
  const { arrived, failed: broken, waiting } = health.deliveries
  const all = arrived + broken + waiting
  const sums = all === 0 ? webhooks.nothing : webhooks.sums(arrived, broken, all >= MOST_COUNTED)
  const share = (number: number) => ({ blockSize: `${(number / most) * 100}%` })
  return (
    <figure className="health" data-large={isLarge || undefined}>
      <div className="health-bars" role="img" aria-label={`${webhooks.day}: ${sums}`}>
        {delivered.map((number, hour) => {
          const bad = failed[hour] ?? 0
          const begin = Date.parse(since) + hour * HOUR_MS
          return (
            <div key={begin} className="health-hour" title={webhooks.hour(times.clock(begin), number, bad)}>
              {bad > 0 && <div className="health-bad" style={share(bad)} />}
              {number > 0 && <div className="health-good" style={share(number)} />}
            </div>
          )
        })}
      </div>
      {isLarge && (
        <div className="health-ends" aria-hidden="true">
          <span>{webhooks.dayAgo}</span>
          <span>{webhooks.now}</span>
        </div>
      )}
      <figcaption>
        <Text size="sm" c="dimmed">
          {isLarge ? `${webhooks.day}: ${sums}` : sums}
        </Text>
      </figcaption>
    </figure>
  )
}
