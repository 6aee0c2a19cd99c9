// The keys and connected apps of an integration: those that work, and below them those that have ended.

import type { Connection, ConsoleKey, IntegrationPage } from '@clinic-data/console-parts/api'
import { Folded } from '@clinic-data/console-parts/shown/folded'
import { DotsIcon, PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { RowMenu } from '@clinic-data/console-parts/shown/row-menu'
import { useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { ActionIcon, Badge, Button, Card, Group, Menu, Table, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { OpenLink } from '../belonging/open-link.tsx'
import { searchOf as connectionSearch, isOpen } from '../connections/connection-state.ts'
import { searchOf as keySearch, maskedKey } from '../keys/key-state.ts'
import { MintDialog } from '../keys/mint-dialog.tsx'
import type { Minting } from '../keys/minting.ts'
import { useMay } from '../roles.ts'
import type { Movable } from './move-dialog.tsx'

interface WaysTableProps {
  integration: IntegrationPage
  onMove: (moved: Movable) => void
}

/** A key or a connection, as both are shown. */
interface Way {
  id: string
  name: string
  link: ReactNode
  note?: string
  kind: 'key' | 'app'
  last_used_at: string | null
  until: string | null
  rate_limit: number | null
  isStopped: boolean
  isOpen: boolean
}

export function WaysTable({ integration, onMove }: WaysTableProps) {
  const { ways: words } = useIntegrationWords().integrations
  const may = useMay()
  const [minting, setMinting] = useState<Minting>(null)
  const ways = [...integration.key_list.map(keyWay), ...integration.connection_list.map(connectionWay)]
  const open = ways.filter((way) => way.isOpen)
  const ended = ways.filter((way) => !way.isOpen)
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {words.title}
        </Title>
        {integration.stopped_at === null && may('mintKey') && (
          <Button
            size="xs"
            variant="default"
            leftSection={<PlusIcon size={14} />}
            onClick={() => setMinting({ beside: null, of: integration })}
          >
            {words.newKey}
          </Button>
        )}
      </Group>
      <Card withBorder padding={open.length === 0 ? 'lg' : 0} className="list">
        {open.length === 0 ? (
          <Text c="dimmed">{words.none}</Text>
        ) : (
          <Ways ways={open} label={words.title} onMove={onMove} />
        )}
      </Card>
      {ended.length > 0 && (
        <Folded className="ended" summary={words.ended(ended.length)}>
          <Card withBorder padding={0} mt="sm" className="list">
            <Ways ways={ended} label={words.ended(ended.length)} onMove={onMove} />
          </Card>
        </Folded>
      )}
      <MintDialog minting={minting} onClose={() => setMinting(null)} />
    </section>
  )
}

function keyWay(key: ConsoleKey): Way {
  const { id, name, last_used_at, expires_at, revoked_at, stopped_at, rate_limit } = key
  return {
    id,
    name,
    link: (
      <OpenLink to="keys" search={keySearch(id)}>
        <bdi>{name}</bdi>
      </OpenLink>
    ),
    note: maskedKey(key),
    kind: 'key',
    last_used_at,
    until: revoked_at ?? expires_at,
    rate_limit,
    isStopped: stopped_at !== null,
    isOpen: revoked_at === null && (expires_at === null || Date.parse(expires_at) > Date.now()),
  }
}

function connectionWay(connection: Connection): Way {
  const { id, app, last_used_at, expires_at, ended_at, stopped_at, rate_limit } = connection
  return {
    id,
    name: app.name,
    link: (
      <OpenLink to="connections" search={connectionSearch(id)}>
        <bdi>{app.name}</bdi>
      </OpenLink>
    ),
    kind: 'app',
    last_used_at,
    until: ended_at ?? expires_at,
    rate_limit,
    isStopped: stopped_at !== null,
    isOpen: isOpen(connection, Date.now()),
  }
}

interface WaysProps {
  ways: readonly Way[]
  label: string
  onMove: WaysTableProps['onMove']
}

function Ways({ ways, label, onMove }: WaysProps) {
  const { columns } = useIntegrationWords().integrations.ways
  return (
    <Table className="keys" aria-label={label} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.name}</Table.Th>
          <Table.Th>{columns.kind}</Table.Th>
          <Table.Th>{columns.used}</Table.Th>
          <Table.Th>{columns.until}</Table.Th>
          <Table.Th>{columns.limit}</Table.Th>
          <Table.Th>
            <span className="unseen">{columns.actions}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ways.map((way) => (
          <Row key={way.id} way={way} onMove={onMove} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Row({ way, onMove }: { way: Way; onMove: WaysTableProps['onMove'] }) {
  const { keys } = useWords()
  const { ways: words, moving } = useIntegrationWords().integrations
  const may = useMay()
  const times = useTimes()
  const { columns } = words
  return (
    <Table.Tr>
      <Table.Td data-name="name">
        <span className="key-name">{way.link}</span>
        {way.isStopped && (
          <Badge variant="default" size="sm" tt="none" fw={500}>
            {words.stopped}
          </Badge>
        )}
        {way.note && (
          <Text size="xs" c="dimmed" ff="monospace">
            <bdi dir="ltr">{way.note}</bdi>
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label={columns.kind}>{words[way.kind]}</Table.Td>
      <Table.Td data-label={columns.used}>
        {way.last_used_at === null ? keys.never : times.moment(way.last_used_at)}
      </Table.Td>
      <Table.Td data-label={columns.until}>{way.until === null ? words.untilEnded : times.moment(way.until)}</Table.Td>
      <Table.Td data-label={columns.limit}>
        {way.rate_limit === null ? words.usualLimit : words.aMinute(way.rate_limit)}
      </Table.Td>
      <Table.Td data-name="actions">
        {!way.isStopped && may('joinIntegration') && (
          <RowMenu
            button={
              <ActionIcon variant="subtle" color="gray" size="lg" aria-label={keys.actionsOf(way.name)}>
                <DotsIcon />
              </ActionIcon>
            }
          >
            <Menu.Item onClick={() => onMove({ id: way.id, name: way.name })}>{moving.action}</Menu.Item>
          </RowMenu>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
