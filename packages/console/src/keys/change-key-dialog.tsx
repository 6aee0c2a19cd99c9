// Renames a key, and says anew how many requests it may send and when it ends.

import { api, type BodyOf, type ConsoleKey } from '@clinic-data/console-parts/api'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { INTEGRATIONS, KEYS } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { changedOf, useChange } from '@clinic-data/console-parts/requests/use-change'
import { useSession } from '@clinic-data/console-parts/session'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { ChangedMeanwhile, Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { expiriesWithin, expiryOf } from './expiry.tsx'
import { NetworksField, networksOf, textOfNetworks } from './networks-field.tsx'

interface ChangeKeyDialogProps {
  /** Null: the dialog is closed. */
  changed: ConsoleKey | null
  onClose: () => void
}

export function ChangeKeyDialog({ changed, onClose }: ChangeKeyDialogProps) {
  const { changing } = useIntegrationWords().keyPage
  return (
    <Dialog title={changed && changing.title(changed.name)} isOpen={changed !== null} onClose={onClose} isForm>
      {changed && <ChangeForm changed={changed} onClose={onClose} />}
    </Dialog>
  )
}

const FIELDS = ['name', 'expires_at', 'rate_limit', 'networks'] as const
type Limits = Pick<ConsoleKey, (typeof FIELDS)[number]>

const limitsOf = ({ name, rate_limit, networks, expires_at }: Limits): Limits => ({
  name,
  rate_limit,
  networks,
  expires_at,
})

function LimitsNow({ now }: { now: Limits }) {
  const { keyPage } = useIntegrationWords()
  const { changing } = keyPage
  const times = useTimes()
  return (
    <ChangedMeanwhile
      now={[
        [changing.name, now.name],
        [changing.until, now.expires_at === null ? keyPage.untilRevoked : times.day(now.expires_at)],
        [changing.rate, now.rate_limit?.toString() ?? changing.rateHint],
        [changing.networks, now.networks === null ? keyPage.anywhere : textOfNetworks(now.networks)],
      ]}
    />
  )
}

/** The end stays what it is. */
const AS_NOW = 'as-now'

function ChangeForm({ changed, onClose }: { changed: ConsoleKey; onClose: () => void }) {
  const words = useWords()
  const { changing } = useIntegrationWords().keyPage
  const client = useQueryClient()
  const [name, setName] = useState(changed.name)
  const [rate, setRate] = useState(changed.rate_limit?.toString() ?? '')
  const [networks, setNetworks] = useState(textOfNetworks(changed.networks))
  const [end, setEnd] = useState(AS_NOW)
  const sent = useChange({
    stored: limitsOf(changed),
    look: async () => limitsOf(await api.key(changed.id, false)),
    act: (body: BodyOf<'changeKey'>) => api.changeKey(changed.id, body),
    onDone: onClose,
    after: () => Promise.all([KEYS, INTEGRATIONS].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const change = changedOf(
      {
        name: name.trim(),
        rate_limit: rate.trim() === '' ? null : Number(rate),
        networks: networksOf(networks),
        expires_at: end === AS_NOW ? sent.opened.expires_at : (expiryOf(end).expires_at ?? null),
      },
      sent.opened,
    )
    if (change === null) onClose()
    else sent.act(change)
  }
  const fault = (field: (typeof FIELDS)[number]) => faultText(sent.error, field, words)
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Text c="dimmed" size="sm">
          {changing.text}
        </Text>
        <TextInput
          label={changing.name}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={fault('name')}
          required
          withAsterisk={false}
          maxLength={200}
          data-autofocus
        />
        <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
          <EndSelect changed={changed} end={end} onChange={setEnd} fault={fault('expires_at')} />
          <TextInput
            label={changing.rate}
            placeholder={changing.rateHint}
            inputMode="numeric"
            pattern="[0-9]*"
            value={rate}
            onChange={({ currentTarget }) => setRate(currentTarget.value)}
            error={fault('rate_limit')}
          />
        </Group>
        <NetworksField text={networks} onChange={setNetworks} fault={fault('networks')} />
        {sent.now ? (
          <LimitsNow now={sent.now} />
        ) : hasStatus(sent.error, 409) ? (
          <Refused text={changing.revoked} />
        ) : (
          <Failure error={sent.error} fields={FIELDS} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={sent.isPending}>
            {changing.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface EndSelectProps {
  changed: ConsoleKey
  end: string
  onChange: (end: string) => void
  fault: string | undefined
}

function EndSelect({ changed: { expires_at }, end, onChange, fault }: EndSelectProps) {
  const { mint } = useWords()
  const { keyPage } = useIntegrationWords()
  const { longest_life_days } = useSession()
  const times = useTimes()
  const asNow = expires_at === null ? keyPage.untilRevoked : times.day(expires_at)
  return (
    <NativeSelect
      label={keyPage.changing.until}
      value={end}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={fault}
      data={[
        { value: AS_NOW, label: keyPage.changing.asNow(asNow) },
        ...expiriesWithin(longest_life_days).map((value) => ({
          value,
          label: value === 'never' ? mint.expiries.never : mint.expiries.days(Number(value)),
        })),
      ]}
    />
  )
}
