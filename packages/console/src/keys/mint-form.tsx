// The form of a new key: its name, what it may do, how long it works.

import type { ConsoleKey, MintedConsoleKey } from '@clinic-data/console-parts/api'
import { useDraft } from '@clinic-data/console-parts/requests/draft'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useSession } from '@clinic-data/console-parts/session'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useHeld } from '@clinic-data/console-parts/shown/held'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CHOICE_FIELDS, ForIntegration, type Granted, useIntegrationChoice } from '../belonging/for-integration.tsx'
import { PlaceLink } from '../places.tsx'
import { Expiry, expiryOf, usualExpiry } from './expiry.tsx'
import { draftOf, type For } from './minting.ts'
import { NetworksField, networksOf, textOfNetworks } from './networks-field.tsx'
import { Permissions } from './permissions.tsx'
import { useMinting } from './use-minting.ts'

const FIELDS = ['name', 'scopes', 'expires_at', 'rate_limit', 'networks', ...CHOICE_FIELDS] as const

interface MintFormProps {
  beside: ConsoleKey | null
  of?: For
  onMinted: (minted: MintedConsoleKey) => void
  onCancel: () => void
}

export function MintForm({ beside, of, onMinted, onCancel }: MintFormProps) {
  const words = useWords()
  const { mint } = words
  const { integrations } = useIntegrationWords()
  const draft = draftOf(beside, of)
  const isAsked = beside === null && of !== 'new'
  const choice = useIntegrationChoice({ draft, preset: of === 'new' ? null : of })
  const [name, setName] = useDraft(`${draft} name`, beside?.name ?? '')
  const [scopes, setScopes] = useDraft(`${draft} scopes`, beside?.scopes ?? [])
  const [expiry, setExpiry] = useDraft(`${draft} expiry`, usualExpiry(useSession().longest_life_days))
  const [rate, setRate] = useDraft(`${draft} rate`, beside?.rate_limit?.toString() ?? '')
  const [networks, setNetworks] = useDraft(`${draft} networks`, textOfNetworks(beside?.networks))
  const [isEmpty, setEmpty] = useState(false)
  const sent = useMinting(onMinted)
  useHeld(sent.isPending)
  const fault = (field: (typeof FIELDS)[number]) => faultText(sent.error, field, words)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setEmpty(scopes.length === 0)
    const forWhich = forWhichOf(beside, of, name.trim()) ?? choice.take()
    if (scopes.length === 0 || forWhich === null) return
    sent.mint({
      name: name.trim(),
      scopes: [...scopes],
      ...expiryOf(expiry),
      ...(rate.trim() !== '' && { rate_limit: Number(rate) }),
      ...(networksOf(networks) && { networks: networksOf(networks) }),
      ...forWhich,
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        {beside?.revoked_at === null && <Text c="dimmed">{mint.rotateText}</Text>}
        {of === 'new' && <WithoutKey />}
        <TextInput
          label={mint.name}
          description={of === 'new' ? integrations.making.nameHint : mint.nameHint}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={fault('name') ?? (of === 'new' && fault('integration_name'))}
          required
          withAsterisk={false}
          maxLength={200}
          data-autofocus
        />
        {isAsked && <ForIntegration choice={choice} error={sent.error} />}
        <Permissions
          scopes={scopes}
          onChange={setScopes}
          fault={isEmpty && scopes.length === 0 ? words.faults.scopes : fault('scopes')}
        />
        <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
          <Expiry chosen={expiry} onChange={setExpiry} fault={fault('expires_at')} />
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
        <NetworksField text={networks} onChange={setNetworks} fault={fault('networks')} />
        {hasStatus(sent.error, 409) && !(isAsked && fault('integration_id')) ? (
          <Refused text={fault('integration_id') === undefined ? mint.already : integrations.making.stopped} />
        ) : (
          <Failure error={sent.error} fields={FIELDS} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={sent.isPending} onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={sent.isPending}>
            {mint.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Known before the form. Null: the form asks. */
function forWhichOf(beside: ConsoleKey | null, of: For, name: string): Granted | null {
  if (beside !== null) return beside.integration === null ? {} : { integration_id: beside.integration.id }
  return of === 'new' ? { integration_name: name } : null
}

/** An app that connects by itself needs no key. */
function WithoutKey() {
  const { making } = useIntegrationWords().integrations
  const { connects_apps } = useSession()
  return (
    <Text c="dimmed" size="sm">
      {making.text}{' '}
      {connects_apps && (
        <>
          {making.appText} <PlaceLink to="connect">{making.toConnect}</PlaceLink>
        </>
      )}
    </Text>
  )
}
