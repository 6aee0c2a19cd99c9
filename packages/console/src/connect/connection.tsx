// How one program is connected: a key of its own, and the lines to paste, with the key in them.

import type { Scope } from '@clinic-data/contract/scopes'
import { Button, Card, Code, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { MintedConsoleKey } from '../api.ts'
import { Expiry, expiryOf, USUAL_EXPIRY } from '../keys/expiry.tsx'
import { Permissions } from '../keys/permissions.tsx'
import { useMinting } from '../keys/use-minting.ts'
import { PlaceLink } from '../places.tsx'
import { useDraft } from '../requests/draft.ts'
import { faultText } from '../requests/failure-text.ts'
import { useSession } from '../session.ts'
import { CopyText } from '../shown/copy.tsx'
import { Failure } from '../shown/failure.tsx'
import { PlusIcon } from '../shown/icons.tsx'
import { useWords } from '../words/language.tsx'
import { type ClientName, clients, NO_KEY } from './clients.ts'

export function Connection({ client }: { client: ClientName }) {
  const { connect } = useWords()
  const { api_url } = useSession()
  const [minted, setMinted] = useState<MintedConsoleKey | null>(null)
  const { steps } = clients[client]
  return (
    <Card withBorder padding="lg">
      <Stack gap="lg">
        <Text>{connect.about[client]}</Text>
        {minted === null ? <MakeKey client={client} onMinted={setMinted} /> : <Made minted={minted} />}
        {steps(api_url, minted?.key ?? NO_KEY).map(({ what, text }) => (
          <CopyText key={what} label={connect.step[what]} text={text} />
        ))}
        {steps(api_url, NO_KEY).some(({ what }) => what === 'install') && (
          <Text size="sm" c="dimmed">
            {connect.npm} <Code dir="ltr">--allow-remote=root</Code>
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {connect.after} <PlaceLink to="keys">{connect.toKeys}</PlaceLink>
        </Text>
      </Stack>
    </Card>
  )
}

function MakeKey({ client, onMinted }: { client: ClientName; onMinted: (minted: MintedConsoleKey) => void }) {
  const words = useWords()
  const { connect } = words
  const { title, preset } = clients[client]
  const [scopes, setScopes] = useDraft<readonly Scope[]>(`connect ${client} scopes`, [])
  const [expiry, setExpiry] = useDraft(`connect ${client} expiry`, USUAL_EXPIRY)
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
  const { connect } = useWords()
  return (
    <Text role="status" className="made">
      {connect.made(name)}
    </Text>
  )
}
