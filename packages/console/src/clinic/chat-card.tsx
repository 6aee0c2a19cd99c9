// How the clinic's chat messages get on, where it has sent any: which wait, and of which nobody knows whether they have arrived.

import { api, type ChatSending } from '@clinic-data/console-parts/api'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Fact } from '@clinic-data/console-parts/shown/fact'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import type { COUNTED_MESSAGES } from '@clinic-data/contract/limits'
import { Alert, Card, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

const EVERY_MS = 10_000

/** The service counts no more of them. The compiler compares the number. */
const MOST_COUNTED: typeof COUNTED_MESSAGES = 1_000

const WARNING = { color: 'orange', c: 'var(--console-warning)' } as const

export function ChatCard() {
  const { clinic } = useWords()
  const sending = useQuery({ queryKey: ['chat-sending'], queryFn: api.chatSending, refetchInterval: EVERY_MS })
  if (!sending.data) return <Failure error={sending.error} onRetry={() => sending.refetch()} />
  const { waiting, unanswered, unknown } = sending.data
  return (
    <Card withBorder padding="lg" component="section" aria-label={clinic.chat} className="chat">
      <CardHead title={clinic.chat} text={clinic.chatText} mb="md" />
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="lg" m={0}>
        <Messages name={clinic.waiting} of={waiting} />
        <Messages name={clinic.unanswered} of={unanswered} hint={clinic.unansweredHint} />
        <Messages name={clinic.unknown} of={unknown} hint={clinic.unknownHint} />
      </SimpleGrid>
      {unanswered.count + unknown.count > 0 && (
        // Where messages are being sent, some have no answer yet at any moment: that is no warning.
        <Alert variant="outline" role="status" mt="md" {...(unknown.count > 0 ? WARNING : { color: 'indigo' })}>
          {clinic.lookFirst}
        </Alert>
      )}
    </Card>
  )
}

function Messages({ name, of, hint }: { name: string; of: ChatSending['waiting']; hint?: string }) {
  const { clinic } = useWords()
  const times = useTimes()
  const { count, oldest_at } = of
  const hints = [
    ...(count > 0 && hint ? [hint] : []),
    ...(oldest_at === null ? [] : [clinic.oldest(times.moment(oldest_at))]),
  ]
  return (
    <Fact name={name} hints={hints}>
      {clinic.messages(count, count >= MOST_COUNTED)}
    </Fact>
  )
}
