// How one program is connected: a key of its own, and the lines to paste, with the key in them.
import { Button, Card, Code, Group, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { MintedConsoleKey } from '../api.ts'
import { scopesOf } from '../keys/presets.ts'
import { useMinting } from '../keys/use-minting.ts'
import { PlaceLink } from '../places.tsx'
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
  const scopes = scopesOf(preset) ?? []
  const { mint, isPending, error } = useMinting(onMinted)
  return (
    <Stack gap="sm">
      <details className="may">
        <summary>{connect.may}</summary>
        <List size="sm" mt="xs">
          {scopes.map((scope) => (
            <List.Item key={scope}>{words.scopes[scope]}</List.Item>
          ))}
        </List>
      </details>
      <Group gap="sm">
        <Button
          leftSection={<PlusIcon size={16} />}
          loading={isPending}
          onClick={() => mint({ name: title, scopes: [...scopes] })}
        >
          {connect.make(title)}
        </Button>
      </Group>
      <Failure error={error} />
    </Stack>
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
