// When a connection ends by itself, or how it ended.

import type { Connection } from '@clinic-data/console-parts/api'
import { useTimes } from '@clinic-data/console-parts/times'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { Text } from '@mantine/core'

export function Ending({ connection }: { connection: Connection }) {
  const { connections } = useAppWords()
  const times = useTimes()
  const { ended_at, end_reason, expires_at, stopped_at } = connection
  if (ended_at !== null) {
    return (
      <>
        {times.moment(ended_at)}
        <Text size="xs" c={end_reason === 'reused' ? 'var(--console-warning)' : 'dimmed'}>
          {end_reason === null ? null : connections.reasons[end_reason]}
        </Text>
      </>
    )
  }
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) {
    return (
      <>
        {times.moment(expires_at)}
        <Text size="xs" c="dimmed">
          {connections.expired}
        </Text>
      </>
    )
  }
  const until = expires_at === null ? connections.untilEnded : times.day(expires_at)
  if (stopped_at === null) return until
  return (
    <>
      {until}
      <Text size="xs" c="var(--console-warning)">
        {connections.stopped}
      </Text>
    </>
  )
}
