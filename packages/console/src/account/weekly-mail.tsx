// The person's own choice of a weekly mail about the clinic's integrations. Nothing where no mail server is set.

import { api } from '@clinic-data/console-parts/api'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { useSession } from '@clinic-data/console-parts/session'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Card, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'

const WEEKLY_MAIL = ['weekly-mail']
const CHOICES = ['none', 'en', 'he'] as const

type Choice = (typeof CHOICES)[number]

export function WeeklyMail() {
  const { weeklyMail: words } = usePeopleWords()
  const { administrator } = useSession()
  const client = useQueryClient()
  const times = useTimes()
  const read = useQuery({ queryKey: WEEKLY_MAIL, queryFn: api.weeklyMail })
  const sent = useActing({
    act: (choice: Choice) => api.setWeeklyMail(choice === 'none' ? null : choice),
    after: () => client.invalidateQueries({ queryKey: WEEKLY_MAIL }),
  })
  const { is_offered, wanted } = read.data ?? { is_offered: false, wanted: null }
  // One that was chosen before the mail server was taken away can still be ended.
  if (!is_offered && wanted === null) return null
  return (
    <Card withBorder padding="lg" component="section" aria-label={words.title}>
      <Stack gap="md" align="flex-start">
        <CardHead title={words.title} text={words.text(`\u2068${administrator.email}\u2069`)} />
        <Failure error={sent.error} />
        <NativeSelect
          label={words.language}
          value={wanted?.language ?? 'none'}
          disabled={sent.isPending}
          data={CHOICES.map((value) => ({ value, label: words.languages[value] }))}
          onChange={({ currentTarget }) => {
            const choice = CHOICES.find((one) => one === currentTarget.value)
            if (choice !== undefined) sent.act(choice)
          }}
        />
        {wanted !== null && (
          <Text size="sm" c="dimmed">
            {words.next(times.moment(wanted.due_at))}{' '}
            {wanted.failed_at !== null
              ? words.failed(times.moment(wanted.failed_at))
              : wanted.sent_at !== null && words.sent(times.moment(wanted.sent_at))}
          </Text>
        )}
      </Stack>
    </Card>
  )
}
