// The longest life of the clinic's new keys and connections. Those of before stay as they are, and the list of keys shows which last longer.

import { api } from '@clinic-data/console-parts/api'
import { SESSION } from '@clinic-data/console-parts/requests/query-client'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { useSession } from '@clinic-data/console-parts/session'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { Card, NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'

const CHOICES = [30, 90, 180, 365] as const
const NONE = 'none'

export function LongestLifeCard() {
  const { clinic, mint } = useWords()
  const words = clinic.longestLife
  const client = useQueryClient()
  const { longest_life_days: days } = useSession()
  const sent = useActing({
    act: (wanted: number | null) => api.setLongestLife({ days: wanted, known: { days } }),
    after: () => client.invalidateQueries({ queryKey: SESSION }),
  })
  // Somebody may have set another one by the console's API.
  const offered = [...new Set([...CHOICES, ...(days === null ? [] : [days])])].sort((a, b) => a - b)
  return (
    <Card withBorder padding="lg" component="section" aria-label={words.title}>
      <NativeSelect
        label={words.title}
        description={words.text}
        value={days === null ? NONE : String(days)}
        disabled={sent.isPending}
        data={[
          { value: NONE, label: words.none },
          ...offered.map((value) => ({ value: String(value), label: mint.expiries.days(value) })),
        ]}
        onChange={({ currentTarget: { value } }) => sent.act(value === NONE ? null : Number(value))}
      />
      <Failure error={sent.error} />
    </Card>
  )
}
