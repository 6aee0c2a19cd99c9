// How one program is connected: by the address, which leads to the console, or by a key of its own in the lines to paste.

import type { MintedConsoleKey } from '@clinic-data/console-parts/api'
import { useDraft } from '@clinic-data/console-parts/requests/draft'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { useSession } from '@clinic-data/console-parts/session'
import { CopyText } from '@clinic-data/console-parts/shown/copy'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useWords } from '@clinic-data/console-words/language'
import { type ClientName, NO_KEY, type Step } from '@clinic-data/contract/projections/programs'
import type { Scope } from '@clinic-data/contract/scopes'
import type { Preset } from '@clinic-data/contract/usual-scopes'
import { Button, Card, Code, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Expiry, expiryOf, usualExpiry } from '../keys/expiry.tsx'
import { Permissions } from '../keys/permissions.tsx'
import { useMinting } from '../keys/use-minting.ts'
import { PlaceLink } from '../places.tsx'
import { useMay } from '../roles.ts'
import { clients } from './clients.ts'

export function Connection({ client }: { client: ClientName }) {
  const { connect } = useAppWords()
  const { byKey: withKey, ...ways } = clients[client]
  const byKey = useMay()('mintKey') ? withKey : undefined
  const byAddress = useSession().connects_apps ? ways.byAddress : undefined
  return (
    <Card withBorder padding="lg">
      <Stack gap="lg">
        <Text>{connect.about[client]}</Text>
        {byAddress && <ByAddress steps={byAddress} />}
        {byKey && !byAddress && <ByKey client={client} byKey={byKey} />}
        {byKey && byAddress && (
          <details className="by-key">
            <summary>{connect.orByKey}</summary>
            <Stack gap="lg" mt="md">
              <ByKey client={client} byKey={byKey} />
            </Stack>
          </details>
        )}
      </Stack>
    </Card>
  )
}

type Ways = (typeof clients)[ClientName]

function ByAddress({ steps }: { steps: NonNullable<Ways['byAddress']> }) {
  const { connect } = useAppWords()
  const { api_url } = useSession()
  return (
    <>
      <Lines steps={steps(api_url)} />
      <Text size="sm" c="dimmed">
        {connect.thenAllow} <PlaceLink to="connections">{connect.toConnections}</PlaceLink>
      </Text>
    </>
  )
}

function ByKey({ client, byKey }: { client: ClientName; byKey: NonNullable<Ways['byKey']> }) {
  const { connect } = useAppWords()
  const { api_url } = useSession()
  const [minted, setMinted] = useState<MintedConsoleKey | null>(null)
  return (
    <>
      {minted === null ? (
        <MakeKey client={client} preset={byKey.preset} onMinted={setMinted} />
      ) : (
        <Made minted={minted} />
      )}
      <Lines steps={byKey.steps(api_url, minted?.key ?? NO_KEY)} />
      <Text size="sm" c="dimmed">
        {connect.after} <PlaceLink to="keys">{connect.toKeys}</PlaceLink>
      </Text>
    </>
  )
}

function Lines({ steps }: { steps: readonly Step[] }) {
  const { connect } = useAppWords()
  return (
    <>
      {steps.map(({ what, text }) => (
        <CopyText key={what} label={connect.step[what]} text={text} />
      ))}
      {steps.some(({ text }) => text.startsWith('npm install')) && (
        <Text size="sm" c="dimmed">
          {connect.npm} <Code dir="ltr">--allow-remote=root</Code>
        </Text>
      )}
    </>
  )
}

interface MakeKeyProps {
  client: ClientName
  preset: Exclude<Preset, 'own'>
  onMinted: (minted: MintedConsoleKey) => void
}

function MakeKey({ client, preset, onMinted }: MakeKeyProps) {
  const words = useWords()
  const { connect } = useAppWords()
  const { title } = clients[client]
  const [scopes, setScopes] = useDraft<readonly Scope[]>(`connect ${client} scopes`, [])
  const [expiry, setExpiry] = useDraft(`connect ${client} expiry`, usualExpiry(useSession().longest_life_days))
  const [isEmpty, setEmpty] = useState(false)
  const { mint, isPending, error } = useMinting(onMinted)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setEmpty(scopes.length === 0)
    if (scopes.length > 0) mint({ name: title, scopes: [...scopes], ...expiryOf(expiry) })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          {connect.usual(words.mint.preset[preset][0])}
        </Text>
        <Permissions
          scopes={scopes}
          onChange={setScopes}
          fault={isEmpty && scopes.length === 0 ? words.faults.scopes : faultText(error, 'scopes', words)}
        />
        <Expiry chosen={expiry} onChange={setExpiry} fault={faultText(error, 'expires_at', words)} />
        <Group gap="sm">
          <Button type="submit" leftSection={<PlusIcon size={16} />} loading={isPending}>
            {connect.make(title)}
          </Button>
        </Group>
        <Failure error={error} fields={['scopes', 'expires_at']} />
      </Stack>
    </form>
  )
}

function Made({ minted: { name } }: { minted: MintedConsoleKey }) {
  const { connect } = useAppWords()
  return (
    <Text role="status" className="made">
      {connect.made(name)}
    </Text>
  )
}
