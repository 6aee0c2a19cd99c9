// The form of a new key: its name, what it may do, how long it works.
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { api, type BodyOf, type ConsoleKey, type MintedConsoleKey } from '../api.ts'
import { faultText } from '../requests/failure-text.ts'
import { KEYS } from '../requests/query-client.ts'
import { hasStatus } from '../requests/refusal.ts'
import { Failure, Refused } from '../shown/failure.tsx'
import { useWords } from '../words/language.tsx'
import { Permissions } from './permissions.tsx'
import { scopesOf } from './presets.ts'

const FIELDS = ['name', 'scopes', 'expires_at', 'rate_limit'] as const
const EXPIRY_DAYS = [30, 90, 180, 365] as const
const NEVER = 'never'
const DAY_MS = 86_400_000

/** `crypto.randomUUID` is missing where the page came by plain http. */
const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

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

/** One form mints one key, however often it is sent. A form that was refused as a whole minted nothing and may be changed. */
function useMinting(onMinted: (minted: MintedConsoleKey) => void) {
  const client = useQueryClient()
  const [idempotencyKey] = useState(newIdempotencyKey)
  const isUnderWay = useRef(false)
  const sent = useMutation({
    mutationFn: (body: BodyOf<'mintKey'>) => api.mintKey(body, idempotencyKey),
    onSuccess: onMinted,
    onSettled: () => {
      isUnderWay.current = false
      return client.invalidateQueries({ queryKey: KEYS })
    },
  })
  return {
    error: sent.error,
    isPending: sent.isPending,
    mint(body: BodyOf<'mintKey'>) {
      if (isUnderWay.current) return
      isUnderWay.current = true
      sent.mutate(body)
    },
  }
}
