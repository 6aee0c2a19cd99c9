// The form of a new key: its name, what it may do, how long it works.
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ConsoleKey, MintedConsoleKey } from '../api.ts'
import { faultText } from '../requests/failure-text.ts'
import { hasStatus } from '../requests/refusal.ts'
import { Failure, Refused } from '../shown/failure.tsx'
import { useWords } from '../words/language.tsx'
import { Permissions } from './permissions.tsx'
import { scopesOf } from './presets.ts'
import { useMinting } from './use-minting.ts'

const FIELDS = ['name', 'scopes', 'expires_at', 'rate_limit'] as const
const EXPIRY_DAYS = [30, 90, 180, 365] as const
const NEVER = 'never'
const DAY_MS = 86_400_000

interface MintFormProps {
  beside: ConsoleKey | null
  onMinted: (minted: MintedConsoleKey) => void
  onCancel: () => void
}

export function MintForm({ beside, onMinted, onCancel }: MintFormProps) {
  const words = useWords()
  const { mint } = words
  const [name, setName] = useState(beside?.name ?? '')
  const [scopes, setScopes] = useState(beside?.scopes ?? scopesOf('bi') ?? [])
  const [expiry, setExpiry] = useState<string>(NEVER)
  const [rate, setRate] = useState(beside?.rate_limit?.toString() ?? '')
  const sent = useMinting(onMinted)
  const fault = (field: (typeof FIELDS)[number]) => faultText(sent.error, field, words)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sent.mint({
      name: name.trim(),
      scopes: [...scopes],
      ...(expiry !== NEVER && { expires_at: new Date(Date.now() + Number(expiry) * DAY_MS).toISOString() }),
      ...(rate.trim() !== '' && { rate_limit: Number(rate) }),
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        {beside && <Text c="dimmed">{mint.rotateText}</Text>}
        <TextInput
          label={mint.name}
          description={mint.nameHint}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={fault('name')}
          required
          withAsterisk={false}
          maxLength={200}
          data-autofocus
        />
        <Permissions scopes={scopes} onChange={setScopes} fault={fault('scopes')} />
        <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
          <NativeSelect
            label={mint.expiry}
            value={expiry}
            onChange={({ currentTarget }) => setExpiry(currentTarget.value)}
            error={fault('expires_at')}
            data={[
              { value: NEVER, label: mint.expiries.never },
              ...EXPIRY_DAYS.map((days) => ({ value: String(days), label: mint.expiries.days(days) })),
            ]}
          />
          <TextInput
            label={mint.rate}
            placeholder={mint.rateHint}
            inputMode="numeric"
            pattern="[0-9]*"
            value={rate}
            onChange={({ currentTarget }) => setRate(currentTarget.value)}
            error={fault('rate_limit')}
          />
        </Group>
        {hasStatus(sent.error, 409) ? <Refused text={mint.already} /> : <Failure error={sent.error} fields={FIELDS} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={sent.isPending} disabled={scopes.length === 0}>
            {mint.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
