// Takes permissions away from a connection, or says anew when it ends.

import { api, type BodyOf, type Connection } from '@clinic-data/console-parts/api'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { CONNECTIONS } from '@clinic-data/console-parts/requests/query-client'
import { useChange } from '@clinic-data/console-parts/requests/use-change'
import { useSession } from '@clinic-data/console-parts/session'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { ChangedMeanwhile, Failure } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import type { Scope } from '@clinic-data/contract/scopes'
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Life, lifeOf, livesWithin, textOf } from '../consent/life.tsx'
import { ScopeBoxes } from '../consent/scope-boxes.tsx'
import { NetworksField, networksOf, textOfNetworks } from '../keys/networks-field.tsx'

const DAY_MS = 86_400_000
/** The end stays what it is. */
const AS_NOW = 'as-now'

interface ChangeDialogProps {
  /** Null: the dialog is closed. */
  connection: Connection | null
  onClose: () => void
}

export function ChangeDialog({ connection, onClose }: ChangeDialogProps) {
  const { changing } = useAppWords().connections
  return (
    <Dialog
      title={connection && changing.title(connection.app.name)}
      isOpen={connection !== null}
      onClose={onClose}
      isForm
    >
      {connection && <ChangeForm connection={connection} onClose={onClose} />}
    </Dialog>
  )
}

function ChangeForm({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const words = useWords()
  const { changing } = useAppWords().connections
  const client = useQueryClient()
  const [scopes, setScopes] = useState<readonly Scope[]>(connection.scopes)
  const [end, setEnd] = useState<Life | typeof AS_NOW>(AS_NOW)
  const [networks, setNetworks] = useState(textOfNetworks(connection.networks))
  const [isEmpty, setEmpty] = useState(false)
  const sent = useChange({
    stored: limitsOf(connection),
    look: async () => limitsOf(await api.connection(connection.id, false)),
    act: (body: BodyOf<'changeConnection'>) => api.changeConnection(connection.id, body),
    onDone: onClose,
    after: () => client.invalidateQueries({ queryKey: CONNECTIONS }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setEmpty(scopes.length === 0)
    if (scopes.length === 0) return
    const isNarrower = scopes.length < sent.opened.scopes.length
    const change: BodyOf<'changeConnection'> = {
      ...(isNarrower && { scopes: [...scopes] }),
      ...(end !== AS_NOW && { expires_at: endOf(end) }),
      ...(networks !== textOfNetworks(sent.opened.networks) && { networks: networksOf(networks) }),
    }
    if (Object.keys(change).length === 0) onClose()
    else sent.act(change)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Text c="dimmed" size="sm">
          {changing.text}
        </Text>
        <ScopeBoxes
          offered={connection.scopes}
          chosen={scopes}
          onChange={setScopes}
          fault={isEmpty && scopes.length === 0 ? words.faults.scopes : faultText(sent.error, 'scopes', words)}
        />
        <EndSelect
          connection={connection}
          end={end}
          onChange={setEnd}
          fault={faultText(sent.error, 'expires_at', words)}
        />
        <NetworksField text={networks} onChange={setNetworks} fault={faultText(sent.error, 'networks', words)} />
        {sent.now ? (
          <LimitsNow now={sent.now} />
        ) : (
          <Failure error={sent.error} fields={['scopes', 'expires_at', 'networks']} />
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

type Limits = Pick<Connection, 'scopes' | 'expires_at' | 'networks'>

const limitsOf = ({ scopes, expires_at, networks }: Limits): Limits => ({ scopes, expires_at, networks })

function LimitsNow({ now }: { now: Limits }) {
  const { mint, scopes } = useWords()
  const { connections } = useAppWords()
  const { keyPage } = useIntegrationWords()
  const times = useTimes()
  return (
    <ChangedMeanwhile
      now={[
        [mint.scopes, now.scopes.map((scope) => scopes[scope]).join(', ')],
        [connections.columns.until, now.expires_at === null ? connections.untilEnded : times.day(now.expires_at)],
        [keyPage.changing.networks, now.networks === null ? keyPage.anywhere : textOfNetworks(now.networks)],
      ]}
    />
  )
}

interface EndSelectProps {
  connection: Connection
  end: Life | typeof AS_NOW
  onChange: (end: Life | typeof AS_NOW) => void
  fault: string | undefined
}

function EndSelect({ connection: { expires_at }, end, onChange, fault }: EndSelectProps) {
  const { connections, consent } = useAppWords()
  const { longest_life_days } = useSession()
  const times = useTimes()
  const asNow = expires_at === null ? connections.untilEnded : times.day(expires_at)
  return (
    <NativeSelect
      label={connections.columns.until}
      error={fault}
      value={end === AS_NOW ? end : textOf(end)}
      onChange={({ currentTarget: { value } }) => onChange(value === AS_NOW ? value : lifeOf(value))}
      data={[
        { value: AS_NOW, label: connections.changing.asNow(asNow) },
        ...livesWithin(longest_life_days).map((life) => ({ value: textOf(life), label: consent.lifeFromNow(life) })),
      ]}
    />
  )
}

function endOf(life: Life): string | null {
  return life === null ? null : new Date(Date.now() + life * DAY_MS).toISOString()
}
