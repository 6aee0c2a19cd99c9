// Sends the events of a time again: those that failed, or all.

import { useDraft } from '@clinic-data/console-parts/requests/draft'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { useSession } from '@clinic-data/console-parts/session'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { v1 } from '@clinic-data/console-parts/v1'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, NativeSelect, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { DELIVERIES } from '../deliveries/use-deliveries.ts'
import { clinicInstant } from './clinic-instant.ts'
import type { Subscription } from './subscriptions.ts'

const HOUR_MS = 3_600_000
const HOURS = { hour: 1, day: 24, week: 7 * 24 } as const
type Time = keyof typeof HOURS | 'own'
type Only = 'failed' | 'all'

/** The draft of its form. */
export const resendDraft = ({ id }: Subscription) => `resend ${id}`

interface ResendDialogProps {
  webhook: Subscription
  isOpen: boolean
  onClose: () => void
}

export function ResendDialog({ webhook, isOpen, onClose }: ResendDialogProps) {
  const { resending } = useWords().webhooks
  return (
    <Dialog title={resending.title} isOpen={isOpen} onClose={onClose}>
      <ResendForm webhook={webhook} onClose={onClose} />
    </Dialog>
  )
}

function ResendForm({ webhook, onClose }: { webhook: Subscription; onClose: () => void }) {
  const words = useWords()
  const { resending } = words.webhooks
  const { time_zone } = useSession().clinic
  const draft = resendDraft(webhook)
  const [only, setOnly] = useDraft<Only>(`${draft} only`, 'failed')
  const [time, setTime] = useDraft<Time>(`${draft} time`, 'day')
  const [since, setSince] = useDraft(`${draft} since`, '')
  const [until, setUntil] = useDraft(`${draft} until`, '')
  const sent = useResending(webhook)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const period =
      time === 'own'
        ? {
            since: clinicInstant(since, time_zone),
            ...(until !== '' && { until: clinicInstant(until, time_zone) }),
          }
        : { since: new Date(Date.now() - HOURS[time] * HOUR_MS).toISOString() }
    sent.act({ ...period, only })
  }
  const matched = sent.done
  if (matched !== undefined) {
    return (
      <Stack gap="md">
        <Text role="status">{resending.done(matched)}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {words.close}
          </Button>
        </Group>
      </Stack>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Text c="dimmed">{resending.text}</Text>
        <Radio.Group label={resending.only} value={only} onChange={(value) => setOnly(value as Only)}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
            <Radio className="choice" value="failed" label={resending.failed[0]} description={resending.failed[1]} />
            <Radio className="choice" value="all" label={resending.all[0]} description={resending.all[1]} />
          </SimpleGrid>
        </Radio.Group>
        <NativeSelect
          label={resending.time}
          value={time}
          onChange={({ currentTarget }) => setTime(currentTarget.value as Time)}
          data={Object.entries(resending.times).map(([value, label]) => ({ value, label }))}
        />
        {time === 'own' && (
          <Group align="flex-end" grow preventGrowOverflow={false}>
            <Moment label={resending.since} value={since} onChange={setSince} isRequired />
            <Moment label={resending.until} value={until} onChange={setUntil} />
          </Group>
        )}
        {time === 'own' && (
          <Text size="sm" c="dimmed">
            {resending.zone(time_zone)}
          </Text>
        )}
        <ResendFailure error={sent.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={sent.isPending}>
            {resending.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function ResendFailure({ error }: { error: unknown }) {
  const { resending } = useWords().webhooks
  if (hasStatus(error, 409)) return <Refused text={resending.disabled} />
  if (hasStatus(error, 422) || hasStatus(error, 400)) return <Refused text={resending.refused} />
  return <Failure error={error} />
}

interface MomentProps {
  label: string
  value: string
  onChange: (value: string) => void
  isRequired?: boolean
}

function Moment({ label, value, onChange, isRequired = false }: MomentProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      required={isRequired}
      withAsterisk={false}
    />
  )
}

interface Resent {
  since: string
  until?: string
  only: Only
}

function useResending({ id }: Subscription) {
  const client = useQueryClient()
  return useActing({
    act: async (body: Resent) => (await v1('webhooks.replay', { params: { id }, body })).data.matched,
    after: () => client.invalidateQueries({ queryKey: [...DELIVERIES, id] }),
  })
}
