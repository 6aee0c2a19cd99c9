// The attempts of the last 24 hours: one bar an hour, what failed on top of what arrived. It runs in the reader's direction.
import { Text } from '@mantine/core'
import type { WebhookHealth } from '../api.ts'
import { useTimes } from '../times.ts'
import { useWords } from '../words/language.tsx'

const HOUR_MS = 3_600_000

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

export function HealthChart({ health, isLarge = false }: { health: WebhookHealth; isLarge?: boolean }) {
  const { webhooks } = useWords()
  const times = useTimes()
  const { delivered, failed, since } = health
  const most = Math.max(1, ...delivered.map((number, hour) => number + (failed[hour] ?? 0)))
  const [arrived, broken] = [sum(delivered), sum(failed)]
  const sums = arrived + broken === 0 ? webhooks.nothing : webhooks.sums(arrived, broken)
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
